/** The documentation as a static site: every Markdown file below docs/ as a page, and the index of the search. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { referencePages } from '../../scripts/reference/pages.ts'
import { addressOf, escapeHtml, type Heading, type RenderedPage, renderPage } from './render.ts'
import { createIndex, type SearchEntry } from './search-index.ts'

/* The frame of every page of the documentation: navigation, search, the page, its headings. */

/** The navigation of the documentation, read from its index: each heading of docs/README.md with the links below it. */
interface NavigationLink {
  readonly title: string
  readonly address: string
  /** The page's path below the documentation's folder. */
  readonly path: string
}

interface NavigationGroup {
  readonly title: string
  readonly links: readonly NavigationLink[]
}

/** @param index the Markdown of docs/README.md: `## Group` followed by list items that begin with a link to a page */
function readNavigation(index: string): NavigationGroup[] {
  const groups: { title: string; links: NavigationLink[] }[] = []
  for (const line of index.split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1]
    if (heading !== undefined) groups.push({ title: heading.trim(), links: [] })
    const link = /^- \[([^\]]+)\]\(([^)#\s]+\.md)\)/.exec(line)
    if (link?.[1] !== undefined && link[2] !== undefined)
      groups.at(-1)?.links.push({ title: link[1].replaceAll('`', ''), path: link[2], address: addressOf(link[2]) })
  }
  return groups.filter((group) => group.links.length > 0)
}

/** The addresses of what every page loads. */
interface Assets {
  readonly script: string
  readonly style: string
  readonly icon: string
}

interface PageFrame {
  readonly page: RenderedPage
  readonly address: string
  readonly navigation: readonly NavigationGroup[]
  readonly assets: Assets
}

const navigationHtml = (groups: readonly NavigationGroup[], address: string): string =>
  groups
    .map(({ title, links }) => {
      const items = links
        .map((link) => {
          const isCurrent = link.address === address
          const isAbove = !isCurrent && link.address !== '/docs' && address.startsWith(`${link.address}/`)
          const above = isAbove ? ' aria-current="true"' : ''
          const mark = isCurrent ? ' aria-current="page"' : above
          return `<li><a href="${link.address}"${mark}>${escapeHtml(link.title)}</a></li>`
        })
        .join('')
      return `<section><h2>${escapeHtml(title)}</h2><ul>${items}</ul></section>`
    })
    .join('')

const outlineHtml = (headings: readonly Heading[]): string => {
  const shown = headings.filter((it) => it.level === 2 || it.level === 3)
  if (shown.length < 2) return ''
  const items = shown
    .map((it) => `<li class="level-${it.level}"><a href="#${it.id}">${escapeHtml(it.text)}</a></li>`)
    .join('')
  return `<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${items}</ul></nav>`
}

/** The whole HTML document of a page. Scripts and styles are files of their own: the policy allows no others. */
const pageHtml = ({ page, address, navigation, assets }: PageFrame): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · svc documentation</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<button type="button" class="menu" aria-controls="navigation" aria-expanded="false">Menu</button>
<a class="brand" href="/docs">svc <span>Documentation</span></a>
<div class="search" role="search"><label for="query" class="hidden">Search the documentation</label>
<input id="query" type="search" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list">
<ul id="results" role="listbox" aria-label="Search results" hidden></ul></div>
<a class="application" href="/app/">Application</a>
<button type="button" class="theme">Theme</button>
</header>
<div class="frame">
<nav id="navigation" class="navigation" aria-label="Documentation">${navigationHtml(navigation, address)}</nav>
<main id="content" tabindex="-1"><article>${page.html}</article></main>
${outlineHtml(page.headings)}
</div>
</body>
</html>
`

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
 * Builds the site from `docs/` of a project and the reference of commands and operations.
 * @param root the project's folder
 * @param assets what each page loads
 * @returns pages and `search.json`; the same sources give the same texts
 */
export async function buildSite(root: string, assets: Assets): Promise<SiteFile[]> {
  const folder = join(root, 'docs')
  const texts = new Map(Object.entries(await referencePages()))
  for await (const path of new Bun.Glob('**/*.md').scan({ cwd: folder }))
    texts.set(path.replaceAll('\\', '/'), await readFile(join(folder, path), 'utf8'))
  const [navigation, outside] = await Promise.all([
    readFile(join(folder, 'README.md'), 'utf8').then(readNavigation),
    outsideOf(root),
  ])
  const files: SiteFile[] = []
  const entries: SearchEntry[] = []
  for (const [path, text] of [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const page = renderPage(text, path, outside)
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
