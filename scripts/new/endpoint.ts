import { addImport, assertKebab, camel, insertInBlock, pascal, readIfThere, words, type Plan } from './plan.ts'

const declaration = (id: string, feature: string, operation: string): string => `  ${camel(operation)}: endpoint({
    id: '${id}',
    origin: 'own',
    method: 'GET',
    path: \`\${tenantPath}/${feature}/-/${operation}\`,
    summary: '${words(operation)}: say in one line what it answers',
    access: may('projects:view'),
    params: Type.Object(tenantParams),
    response: Type.Object({ total: Type.Integer() }),
    errors: [],
  }),`

const apiText = (feature: string, entry: string): string => `import { Type } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { may, tenantParams, tenantPath } from './kit.ts'

export const ${camel(feature)}Api = {
${entry}
}
`

const kitImports = ['may', 'tenantParams', 'tenantPath'].map((name) => `import { ${name} } from './kit.ts'`)

const handler = (operation: string, run: string): string =>
  `    ${camel(operation)}: (_, { grant }) => ${run}(deps, grant),`

const routesText = (
  feature: string,
  line: string,
  run: string,
): string => `import { ${camel(feature)}Api } from '../../src/api/${feature}.ts'
import { type Route, routesOf } from '../http/door.ts'
import type { Deps } from '../kit/door.ts'
import { ${run} } from './service.ts'

/** The routes of ${feature.replaceAll('-', ' ')}. */
export const ${camel(feature)}Routes = (deps: Deps): Route[] =>
  routesOf(${camel(feature)}Api, {
${line}
  })
`

const serviceText = (run: string): string => `
/** Say what it answers of the organization. */
export const ${run} = async (deps: Deps, grant: Grant): Promise<{ total: number }> => {
  const { id: tenantId } = tenantOf(grant)
  const rows = await deps.db.read.select().from(projects).where(inTenant(projects, tenantId))
  return { total: rows.length }
}
`

const serviceImports = [
  "import { inTenant } from '../../db/conditions.ts'",
  "import { projects } from '../../db/tables.gen.ts'",
  "import { tenantOf } from '../auth/door.ts'",
  "import type { Grant } from '../auth/door.ts'",
  "import type { Deps } from '../kit/door.ts'",
]

const testText = (feature: string, operation: string): string => `import { expect, test } from 'bun:test'
import { ${camel(feature)}Api } from '../../../src/api/${feature}.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService } from '../../fixtures/service.ts'

onBothEngines('${feature}.${operation}', (makeDb) => {
  test('answers what the tenant has', async () => {
    const { call, tenant, service } = await startService(await makeDb())
    const answer = await call(${camel(feature)}Api.${camel(operation)}, { params: { tenant_slug: tenant } })
    await service.stop()
    // Arrange what it shall answer, and state the whole answer.
    expect(answer).toEqual({ total: 1 })
  })
})
`

const readmeText = (feature: string): string => `# ${feature}

Say in two lines what is here.

May use: no other room.

Begin with \`service.ts\`.
`

/** rooms.json with a room that uses what every feature uses. */
function withRoom(text: string, feature: string): string {
  const rooms = JSON.parse(text) as Record<string, Record<string, readonly string[]>>
  const server = Object.entries({ ...rooms.server, [feature]: ['auth', 'http', 'kit'] })
  const sorted = Object.fromEntries(server.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return `${JSON.stringify({ ...rooms, server: sorted }, null, 2)}\n`
}

/** An operation: its declaration, a line in the routes, a function of the service, and a test on both databases. */
export const newEndpoint = (root: string, name: string): Plan => {
  const [feature = '', operation = '', ...others] = name.split('.')
  if (others.length > 0 || operation === '') throw new Error(`"${name}" must be FEATURE.OPERATION.`)
  assertKebab(feature)
  assertKebab(operation)
  const paths = {
    api: `src/api/${feature}.ts`,
    routes: `server/${feature}/routes.ts`,
    service: `server/${feature}/service.ts`,
    features: 'server/features.ts',
  }
  const run = `${camel(operation)}${pascal(feature)}`
  const entry = declaration(name, feature, operation)
  const line = handler(operation, run)
  const test = { [`test/server/${feature}/${operation}.test.ts`]: testText(feature, operation) }
  const next = [
    'npm run gen',
    'add example values of new property names to server/openapi/examples.ts',
    `npm test -- test/server/${feature}/${operation}.test.ts`,
  ]
  const api = readIfThere(root, paths.api)
  const routes = readIfThere(root, paths.routes)
  const service = readIfThere(root, paths.service)
  if (api === null && routes === null && service === null) {
    const features = readIfThere(root, paths.features) ?? ''
    const entryOfFeature = `  {
    groups: ['${feature}'],
    load: async ({ deps }) => (await import('./${feature}/routes.ts')).${camel(feature)}Routes(deps),
  },`
    return {
      created: {
        [paths.api]: apiText(feature, entry),
        [paths.routes]: routesText(feature, line, run),
        [paths.service]: `${serviceImports.join('\n')}\n${serviceText(run)}`,
        [`server/${feature}/README.md`]: readmeText(feature),
        ...test,
      },
      changed: {
        [paths.features]: insertInBlock(features, /^const features: /, entryOfFeature, paths.features),
        'rooms.json': withRoom(readIfThere(root, 'rooms.json') ?? '{}', feature),
      },
      next,
    }
  }
  if (api === null || routes === null || service === null)
    throw new Error(`${feature} needs ${Object.values(paths).slice(0, 3).join(', ')}, or none of them.`)
  return {
    created: test,
    changed: {
      [paths.api]: kitImports.reduce(
        addImport,
        insertInBlock(api, new RegExp(`^export const ${camel(feature)}Api = \\{`), entry, paths.api),
      ),
      [paths.routes]: addImport(
        insertInBlock(routes, new RegExp(`routesOf\\(${camel(feature)}Api, \\{`), line, paths.routes),
        `import { ${run} } from './service.ts'`,
      ),
      [paths.service]: serviceImports.reduce(addImport, service) + serviceText(run),
    },
    next,
  }
}
