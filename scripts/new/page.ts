import { addImport, assertKebab, camel, insertInBlock, pascal, readIfThere, words, type Plan } from './plan.ts'

const pageText = (page: string): string => `import { Page } from '../../parts/page.tsx'

/** Say what the page shows and who may see it. */
export const ${pascal(page)}Page = ({ tenant }: { tenant: string }) => (
  <Page title="${words(page)}" description="Say in one sentence what is here.">
    <p>{tenant}</p>
  </Page>
)
`

const routeText = (feature: string, page: string): string => `const ${camel(page)}Route = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/${feature === page ? page : `${feature}/${page}`}',
  staticData: { section: { group: 'Organization', name: '${words(page)}', icon: FileText, permission: 'projects:view' } },
  component: () => <${pascal(page)}Page {...${camel(page)}Route.useParams()} />,
})
`

const routesText = (feature: string, page: string): string => `import { createRoute } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { signedInRoute } from '../../routing/root-routes.ts'
import { ${pascal(page)}Page } from './${page}-page.tsx'

${routeText(feature, page)}
export const ${camel(feature)}Routes = [${camel(page)}Route] as const
`

const testText = (feature: string, page: string): string => `import { expect, test } from 'bun:test'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()

test('${words(page).toLowerCase()} shows what it is for', async () => {
  await on.go('/app/t/acme/-/${feature === page ? page : `${feature}/${page}`}')
  await on.heading('${words(page)}')
  expect(await on.page.locator('main').innerText()).toContain('Replace this by what the page shall show')
})
`

const exported = /^export const (\w+) = \[/m

/** A page and its route; a feature that is new gets its list of routes in the router. */
export const newPage = (root: string, name: string): Plan => {
  const [feature = '', page = '', ...others] = name.split('/')
  if (others.length > 0 || page === '') throw new Error(`"${name}" must be FEATURE/PAGE.`)
  assertKebab(feature)
  assertKebab(page)
  const folder = `web/src/features/${feature}`
  const created = {
    [`${folder}/${page}-page.tsx`]: pageText(page),
    [`test/web/${feature}-${page}.test.ts`]: testText(feature, page),
  }
  const seen = 'test/fixtures/web/application-routes.ts'
  const everyRoute = {
    [seen]: insertInBlock(
      readIfThere(root, seen) ?? '',
      /^export const routes: /,
      `  ['/app/t/acme/-/${feature === page ? page : `${feature}/${page}`}', '${words(page)}'],`,
      seen,
    ),
  }
  const next = [`npm test -- test/web/${feature}-${page}.test.ts`]
  const routes = readIfThere(root, `${folder}/routes.tsx`)
  if (routes !== null) {
    const list = exported.exec(routes)?.[1]
    if (list === undefined) throw new Error(`${folder}/routes.tsx: expected "export const …Routes = ["`)
    const lists = new RegExp(`^export const ${list} = \\[(.*)\\] as const$`, 'm')
    const added = lists.test(routes)
      ? routes.replace(lists, (_, items: string) => `export const ${list} = [${items}, ${camel(page)}Route] as const`)
      : insertInBlock(
          routes,
          new RegExp(`^export const ${list} = \\[`),
          `  ${camel(page)}Route,`,
          `${folder}/routes.tsx`,
        )
    const declared = added.replace(exported, `${routeText(feature, page)}\n$&`)
    return {
      created,
      changed: {
        ...everyRoute,
        [`${folder}/routes.tsx`]: [
          "import { createRoute } from '@tanstack/react-router'",
          "import { FileText } from 'lucide-react'",
          "import { signedInRoute } from '../../routing/root-routes.ts'",
          `import { ${pascal(page)}Page } from './${page}-page.tsx'`,
        ].reduce(addImport, declared),
      },
      next,
    }
  }
  const router = readIfThere(root, 'web/src/router.tsx') ?? ''
  return {
    created: { ...created, [`${folder}/routes.tsx`]: routesText(feature, page) },
    changed: {
      ...everyRoute,
      'web/src/router.tsx': addImport(
        router.replace(/^( +)\.\.\.settingsRoutes,$/m, `$1...${camel(feature)}Routes,\n$&`),
        `import { ${camel(feature)}Routes } from './features/${feature}/routes.tsx'`,
      ),
    },
    next,
  }
}
