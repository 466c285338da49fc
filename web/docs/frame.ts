/** The frame of every page of the documentation: navigation, search, the page, its headings. */
import { type NavigationGroup, navigationHtml, pathHtml } from './navigation.ts'
import { escapeHtml, type Heading, type RenderedPage } from './render.ts'

/** What every page loads, and what is different where the pages are files of a folder. */
export interface Assets {
  readonly script: string
  readonly style: string
  readonly icon: string
  /** Whether the script is a module. Browsers refuse modules from pages that are opened as files. */
  readonly isModule?: boolean
  /** The links at the end of the bar, as HTML; without it one to the application. */
  readonly links?: string
  /** More of the head of a page, as HTML. */
  readonly head?: (page: RenderedPage, address: string) => string
}

interface PageFrame {
  readonly page: RenderedPage
  readonly address: string
  readonly navigation: readonly NavigationGroup[]
  readonly assets: Assets
}

const outlineHtml = (headings: readonly Heading[]): string => {
  const shown = headings.filter((it) => it.level === 2 || it.level === 3)
  if (shown.length < 2) return ''
  const items = shown
    .map((it) => `<li class="level-${it.level}"><a href="#${it.id}">${escapeHtml(it.text)}</a></li>`)
    .join('')
  return `<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${items}</ul></nav>`
}

/** The beginning of a page as one line, for search engines and previews. */
export const summaryOf = ({ sections }: RenderedPage): string => {
  const text = sections[0]?.text ?? ''
  return text.length <= 160 ? text : `${text.slice(0, 160).replace(/\s\S*$/, '')} …`
}

/** The whole HTML document of a page. Scripts and styles are files of their own: the policy of a service allows no others. */
export const pageHtml = ({ page, address, navigation, assets }: PageFrame): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(summaryOf(page))}">
<title>${escapeHtml(page.title)} · svc documentation</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script ${assets.isModule === false ? 'defer' : 'type="module"'} src="${assets.script}"></script>
${assets.head?.(page, address) ?? ''}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<button type="button" class="menu" aria-controls="navigation" aria-expanded="false">Menu</button>
<a class="brand" href="/docs">svc <span>Documentation</span></a>
<div class="search" role="search"><label for="query" class="hidden">Search the documentation</label>
<input id="query" type="search" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list">
<ul id="results" role="listbox" aria-label="Search results" hidden></ul></div>
${assets.links ?? '<a class="application" href="/app/">Application</a>'}
<button type="button" class="theme">Theme</button>
</header>
<div class="frame">
<nav id="navigation" class="navigation" aria-label="Documentation">${navigationHtml(navigation, address)}</nav>
<main id="content" tabindex="-1"><article>${pathHtml(navigation, address)}${page.html}</article></main>
${outlineHtml(page.headings)}
</div>
</body>
</html>
`
