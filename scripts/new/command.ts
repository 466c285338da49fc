import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { addImport, assertKebab, insertInBlock, words, type Plan } from './plan.ts'

const commandText = (name: string, depth: string): string => `import { command } from '${depth}cli/declare.ts'

export default command({
  summary: 'Say in one line what "svc ${name}" does',
  examples: ['svc ${name} petstore'],
  arguments: [{ name: 'project', required: true, summary: 'id or slug' }],
  options: {},
  run: ({ args }) => Promise.resolve({ data: { project: args.project }, text: \`\${args.project}\\n\` }),
})
`

const groupText = (noun: string, depth: string): string =>
  `import { group } from '${depth}cli/declare.ts'\n\nexport default group({ summary: 'Manage ${noun.replaceAll('-', ' ')}s' })\n`

/** The index.ts of each folder of a command that is new. */
const newGroups = (root: string, folders: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    folders.flatMap((noun, index) => {
      const path = `commands/${folders.slice(0, index + 1).join('/')}/index.ts`
      return existsSync(join(root, path)) ? [] : [[path, groupText(noun, '../'.repeat(index + 2))] as const]
    }),
  )

interface Operation {
  /** `projectsApi.archive` in the sources, and the module that has it. */
  readonly source: string
  readonly module: string
  readonly endpoint: Endpoint
}

async function operationOf(root: string, id: string): Promise<Operation> {
  for (const file of new Bun.Glob('src/api/**/*.ts').scanSync(root)) {
    if (!readFileSync(join(root, file), 'utf8').includes(`id: '${id}'`)) continue
    const module = (await import(join(root, file))) as Readonly<Record<string, unknown>>
    for (const [api, operations] of Object.entries(module)) {
      if (!api.endsWith('Api')) continue
      for (const [key, endpoint] of Object.entries(operations as Readonly<Record<string, Endpoint>>))
        if (endpoint.id === id) return { source: `${api}.${key}`, module: file, endpoint }
    }
  }
  throw new Error(`src/api declares no operation with the id "${id}".`)
}

/** The arguments of a command for the parameters of a path, all but the organization. */
const argumentTexts = ({ params }: Endpoint): string[] =>
  Object.entries(params?.properties ?? {}).flatMap(([field, { description }]) => {
    const name = field.replace(/_(ref|id|slug)$/, '')
    const summary = typeof description === 'string' ? description.replace(/\.$/, '') : `id of the ${name}`
    return field === 'tenant_slug' ? [] : [`{ name: '${name}', summary: ${JSON.stringify(summary)} }`]
  })

/** A row in the index.ts of a noun: the command of one call of an operation. */
async function newRow(root: string, parts: readonly string[], id: string) {
  const { source, module, endpoint } = await operationOf(root, id)
  const folders = parts.slice(0, -1)
  if (folders.length === 0) throw new Error(`A command of one call belongs to a noun, as in "project archive".`)
  const path = `commands/${folders.join('/')}/index.ts`
  const { [path]: fresh, ...groups } = newGroups(root, folders)
  const before = fresh ?? readFileSync(join(root, path), 'utf8')
  const opened = before.includes('  commands: {')
    ? before
    : before.replace(/group\(\{\s*summary: (.*?),?\s*\}\)/s, 'group({\n  summary: $1,\n  commands: {\n  },\n})')
  const verb = parts.at(-1) ?? ''
  const given = argumentTexts(endpoint)
  const row = [
    `    ${/^\w+$/.test(verb) ? verb : `'${verb}'`}: derive(${source}, {`,
    `      examples: ['svc ${[...parts, ...given.map(() => 'petstore')].join(' ')}'],`,
    ...(given.length === 0 ? [] : [`      arguments: [${given.join(', ')}],`]),
    `      text: (answer) => \`\${JSON.stringify(answer)}\\n\`,`,
    '    }),',
  ].join('\n')
  const from = (target: string): string => relative(join(root, path, '..'), join(root, target))
  const imported = addImport(
    addImport(opened, `import { derive } from '${from('cli/derive.ts')}'`),
    `import { ${source.split('.')[0] ?? ''} } from '${from(module)}'`,
  )
  const text = insertInBlock(imported, /^ {2}commands: \{/, row, path)
  return { groups, path, text, isNew: fresh !== undefined, words: given.map(() => 'petstore') }
}

/**
 * A command and its golden, and an index.ts for each folder of it that is new: a row of its noun where `operation` is the
 * id of the operation that it calls, else a file.
 */
export async function newCommand(root: string, name: string, operation?: string): Promise<Plan> {
  const parts = name.split(/[ /]/)
  for (const part of parts) assertKebab(part)
  const row = operation === undefined ? null : await newRow(root, parts, operation)
  const created =
    row === null
      ? {
          ...newGroups(root, parts.slice(0, -1)),
          [`commands/${parts.join('/')}.ts`]: commandText(parts.join(' '), '../'.repeat(parts.length)),
        }
      : { ...row.groups, ...(row.isNew && { [row.path]: row.text }) }
  const golden = `test/golden/${parts.join('-')}`
  return {
    created: {
      ...created,
      [`${golden}/cmd`]: `svc ${[...parts, ...(row?.words ?? ['petstore'])].join(' ')}\n`,
      [`${golden}/stdout`]: `${words(parts.at(-1) ?? '')} of petstore: replace this by what the command shall print.\n`,
    },
    changed: row === null || row.isNew ? {} : { [row.path]: row.text },
    next: ['npm run gen', `node scripts/bun.mjs test/golden/run.ts ${parts.join('-')}`],
  }
}
