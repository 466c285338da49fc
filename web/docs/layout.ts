/** The frame of every page of the documentation: navigation, search, the page, its headings. */
import type { NavigationGroup } from './navigation.ts'
import { escapeHtml, type Heading, type RenderedPage } from './render.ts'

/** The addresses of what every page loads. */
export interface Assets {
  readonly script: string
  readonly style: string
  readonly icon: string
}

export interface PageFrame {
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
          const mark = isCurrent ? ' aria-current="page"' : isAbove ? ' aria-current="true"' : ''
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
export const pageHtml = ({ page, address, navigation, assets }: PageFrame): string => `<!doctype html>
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
