/** The documentation as a static site: every Markdown file below docs/ as a page, and the index of the search. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Assets, pageHtml } from './layout.ts'
import { readNavigation } from './navigation.ts'
import { addressOf, renderPage, type RenderedPage } from './render.ts'
import { createIndex, type SearchEntry } from './search-index.ts'

export interface SiteFile {
  /** Below `/docs/`: "guides/ci.html", "search.json". */
  readonly path: string
  readonly text: string
}

/** Where the project's other files are shown to readers of the site: the repository that `package.json` names, if any. */
const outsideOf = (root: string): Promise<(path: string) => string> =>
  readFile(join(root, 'package.json'), 'utf8').then((text) => {
    const { repository } = JSON.parse(text) as { readonly repository?: { readonly url?: string } | string }
    const url = (typeof repository === 'string' ? repository : repository?.url)?.replace(/^git\+|\.git$/g, '')
    return (path: string) => (url === undefined ? '/docs' : `${url}/blob/main/${path}`)
  })

const fileOf = (path: string): string =>
  path === 'README.md' ? 'index.html' : `${addressOf(path).slice('/docs/'.length)}.html`

const missing: RenderedPage = {
  title: 'Page not found',
  html: '<h1>Page not found</h1><p>This page does not exist. Search the documentation or go to its <a href="/docs">start page</a>.</p>',
  headings: [],
  sections: [],
}

const entriesOf = (page: RenderedPage, address: string): SearchEntry[] =>
  page.sections.map((section, index) => ({
    id: `${address}${section.id === '' ? '' : `#${section.id}`}`,
    title: page.title,
    heading: section.heading,
    text: section.text.slice(0, index === 0 ? 2000 : 1200),
  }))

/**
 * Builds the site from `docs/` of a project.
 * @param root the project's folder
 * @param assets what each page loads
 * @returns pages and `search.json`; the same sources give the same texts
 */
export async function buildSite(root: string, assets: Assets): Promise<SiteFile[]> {
  const folder = join(root, 'docs')
  const paths: string[] = []
  for await (const path of new Bun.Glob('**/*.md').scan({ cwd: folder })) paths.push(path.replaceAll('\\', '/'))
  paths.sort()
  const [navigation, outside] = await Promise.all([
    readFile(join(folder, 'README.md'), 'utf8').then(readNavigation),
    outsideOf(root),
  ])
  const files: SiteFile[] = []
  const entries: SearchEntry[] = []
  for (const path of paths) {
    const page = renderPage(await readFile(join(folder, path), 'utf8'), path, outside)
    const address = addressOf(path)
    files.push({ path: fileOf(path), text: pageHtml({ page, address, navigation, assets }) })
    entries.push(...entriesOf(page, address))
  }
  for await (const path of new Bun.Glob('**/*.svg').scan({ cwd: folder }))
    files.push({ path, text: await readFile(join(folder, path), 'utf8') })
  files.push({ path: '404.html', text: pageHtml({ page: missing, address: '', navigation, assets }) })
  files.push({ path: 'search.json', text: JSON.stringify(createIndex(entries)) })
  return files
}
