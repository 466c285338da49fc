/** Pictures of the application for the site, taken from the real service filled with sample documents. */
import { openWeb } from '../../server/web/serve.ts'
import { openReal } from '../../test/fixtures/web/real.ts'
import { seed } from '../shots/seed.ts'
import { settle } from '../shots/settle.ts'

const themes = ['light', 'dark'] as const
const size = { width: 1200, height: 760 } as const

interface Screen {
  /** The page of the site that shows it, as a file. */
  readonly page: string
  readonly name: string
  /** Where the application shows it. */
  readonly route: string
  /** What is to be seen, for readers who do not see it. */
  readonly alternative: string
}

const project = '/t/local/train-travel'

export const screens: readonly Screen[] = [
  {
    page: 'index.html',
    name: 'home',
    route: '/t/local/-/home',
    alternative: 'The start page of an organization: what needs attention, grades and the newest versions.',
  },
  {
    page: 'guides/projects.html',
    name: 'projects',
    route: '/t/local',
    alternative: 'The list of projects with their owners, versions and grades.',
  },
  {
    page: 'comparison.html',
    name: 'comparison',
    route: '/t/local/-/compare?base=train-travel%401.2.0&head=train-travel%402.0.0',
    alternative: 'Two versions compared: each change with its severity, its place and a counterexample.',
  },
  {
    page: 'grade.html',
    name: 'findings',
    route: `${project}/2.0.0/findings`,
    alternative: 'The findings of a version beside its grade.',
  },
  {
    page: 'guides/governance.html',
    name: 'style-guides',
    route: '/t/local/-/style-guides',
    alternative: 'The style guides of an organization and where they apply.',
  },
]

/** @returns PNG by name and theme: "home-light"; the service and the browser are closed again */
export async function takeScreens(): Promise<ReadonlyMap<string, Uint8Array>> {
  // From source this builds the application, which takes longer than a page may.
  await openWeb()
  const taken = new Map<string, Uint8Array>()
  const real = await openReal()
  try {
    await seed(real, false)
    await real.page.setViewportSize(size)
    const origin = new URL(real.page.url()).origin
    for (const { name, route } of screens) {
      await real.page.goto(`${origin}/app${route}`)
      await settle(real.page)
      for (const colorScheme of themes) {
        await real.page.emulateMedia({ colorScheme })
        taken.set(`${name}-${colorScheme}`, await real.page.screenshot())
      }
    }
  } finally {
    await real.close()
  }
  return taken
}

/** The HTML of a page with its picture behind the first paragraph, in the theme of the reader. */
export function withScreens(html: string, path: string, taken: ReadonlyMap<string, Uint8Array>): string {
  const screen = screens.find(({ page, name }) => page === path && taken.has(`${name}-light`))
  if (screen === undefined) return html
  const images = themes.map(
    (theme) =>
      `<img class="${theme}" src="/docs/screens/${screen.name}-${theme}.png" width="${size.width}" height="${size.height}" alt="${screen.alternative}" loading="lazy">`,
  )
  return html.replace(
    /(<h1 id=[\s\S]*?<p>[\s\S]*?<\/p>\n)/,
    (start) => `${start}<figure class="screen">${images.join('')}</figure>\n`,
  )
}
