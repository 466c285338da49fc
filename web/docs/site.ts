/** The documentation as a site: every Markdown file below docs/ as a page, the reference, the changelog, and the index of the search. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { answerPages, linkedToAnswers, referencePages } from '../../scripts/reference/pages.ts'
import { type Assets, pageHtml } from './frame.ts'
import { type NavigationGroup, readNavigation } from './navigation.ts'
import { addressOf, type RenderedPage, renderPage } from './render.ts'
import { createIndex, type SearchEntry } from './search-index.ts'
import { withTryLink } from './try-link.ts'

export interface SiteFile {
  /** Below `/docs/`: "guides/ci.html", "search.json". */
  readonly path: string
  readonly text: string
}

/** A page before it has its frame. */
export interface SitePage {
  readonly address: string
  readonly markdown: string
  readonly rendered: RenderedPage
}

/** The site in parts: what a folder of static files is made of besides. */
export interface Site {
  /** Pages and pictures, and `search.json`. */
  readonly files: readonly SiteFile[]
  readonly pages: readonly SitePage[]
  readonly navigation: readonly NavigationGroup[]
}

/** Where the project's other files are shown to readers of the site: the repository that `package.json` names, if any. */
const outsideOf = (root: string): Promise<(path: string) => string> =>
  readFile(join(root, 'package.json'), 'utf8').then((text) => {
    const { repository } = JSON.parse(text) as { readonly repository?: { readonly url?: string } | string }
    const url = (typeof repository === 'string' ? repository : repository?.url)?.replace(/^git\+|\.git$/g, '')
    return (path: string) => (url === undefined ? '/docs' : `${url}/blob/main/${path}`)
  })

const fileNameOf = (path: string): string =>
  path === 'README.md' ? 'index.html' : `${addressOf(path).slice('/docs/'.length)}.html`

const missing: RenderedPage = {
  title: 'Page not found',
  html: '<h1>Page not found</h1><p>This page does not exist. Search the documentation or go to its <a href="/docs">start page</a>.</p>',
  headings: [],
  sections: [],
}

/** Sections that many pages have with the same words or with documents: whoever searches for these words means other pages. */
const repeated = new Set([
  'Example',
  'How to accept it',
  'Affected clients',
  'Where the code appears',
  'Opposite change',
  'Next',
])

/** How many characters of a section the search knows: more of the first one of a page, fewer where shapes repeat each other's words. */
function searchedLength(address: string, index: number): number {
  if (address === '/docs/changelog') return 0
  if (address.startsWith('/docs/reference/operations/')) return 600
  return index === 0 ? 2000 : 1200
}

/** What the search finds of a page: its sections; of lists of changes only the headings. */
function entriesOf({ rendered, address }: SitePage): SearchEntry[] {
  return rendered.sections
    .filter(({ heading }) => !repeated.has(heading))
    .map(({ id, heading, text }, index) => ({
      id: `${address}${id === '' ? '' : `#${id}`}`,
      title: rendered.title,
      heading,
      text: text.slice(0, searchedLength(address, index)),
    }))
}

/** The Markdown of every page, by path below `docs/`. */
async function readTexts(root: string, hasAnswers: boolean): Promise<Map<string, string>> {
  const folder = join(root, 'docs')
  const texts = new Map(Object.entries(await referencePages()))
  for await (const path of new Bun.Glob('**/*.md').scan({ cwd: folder }))
    texts.set(path.replaceAll('\\', '/'), await readFile(join(folder, path), 'utf8'))
  texts.set('changelog.md', await readFile(join(root, 'CHANGELOG.md'), 'utf8'))
  if (!hasAnswers) return texts
  for (const [path, text] of texts) texts.set(path, linkedToAnswers(path, text))
  for (const [path, text] of Object.entries(await answerPages())) texts.set(path, text)
  return texts
}

/**
 * Builds the site from `docs/` of a project and the reference of commands and operations.
 * @param root the project's folder
 * @param assets what each page loads
 * @param hasAnswers whether every error and every command has a page of its own too; a service has them in lists, which are
 *   a tenth of the size
 * @returns the same sources give the same texts
 */
export async function buildSite(root: string, assets: Assets, hasAnswers = false): Promise<Site> {
  const folder = join(root, 'docs')
  const [texts, navigation, outside] = await Promise.all([
    readTexts(root, hasAnswers),
    readFile(join(folder, 'README.md'), 'utf8').then(readNavigation),
    outsideOf(root),
  ])
  const files: SiteFile[] = []
  const pages: SitePage[] = []
  for (const [path, text] of [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const markdown = await withTryLink(path, text)
    const rendered = renderPage(markdown, path, outside)
    const address = addressOf(path)
    files.push({ path: fileNameOf(path), text: pageHtml({ page: rendered, address, navigation, assets }) })
    pages.push({ address, markdown, rendered })
  }
  for await (const path of new Bun.Glob('**/*.svg').scan({ cwd: folder }))
    files.push({ path, text: await readFile(join(folder, path), 'utf8') })
  files.push({ path: '404.html', text: pageHtml({ page: missing, address: '', navigation, assets }) })
  files.push({ path: 'search.json', text: JSON.stringify(createIndex(pages.flatMap(entriesOf))) })
  return { files, pages, navigation }
}
