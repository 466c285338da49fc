import type { Entry } from '../../web/pack.ts'
import { formatName } from '../../src/kernel/format-names.ts'
import { plural } from '../../src/kernel/plural.ts'
import { safeHtml } from '../../src/render/reference/safe-html.ts'
import type { FoundOperation } from '../search-index/door.ts'
import { escapeHtml } from '../web/door.ts'
import { toneOfGrade } from './badge.ts'
import type { Catalogue, Listed } from './catalogue.ts'
import type { PortalQuery, Facet, Shown } from './list.ts'
import { badgeSnippets, portalPath } from './snippets.ts'

const place = (catalogue: Catalogue): string => portalPath(catalogue.slug)

const badgesOf = (catalogue: Catalogue, listed: Listed, publicUrl: string): string => {
  const snippets = badgeSnippets(publicUrl, catalogue.slug, listed.slug)
  const markdown = snippets.map((one) => one.markdown).join('\n')
  const id = `badges-${escapeHtml(listed.slug)}`
  return `<details><summary>Badges</summary><p>${snippets
    .map(
      ({ kind, url }) =>
        `<img src="${escapeHtml(url.slice(publicUrl.length))}" alt="${kind}" height="20" loading="lazy">`,
    )
    .join(
      ' ',
    )}</p><label for="${id}">Markdown</label><textarea id="${id}" readonly rows="3" spellcheck="false">${escapeHtml(markdown)}</textarea><button type="button" data-copy="${id}" hidden>Copy the Markdown</button></details>`
}

/** The day of a moment in words of the page's language: "Nov 23, 2026". */
const day = (at: string): string =>
  `<time datetime="${escapeHtml(at)}" title="${escapeHtml(at.slice(0, 19).replace('T', ' '))} UTC">${new Date(at).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })}</time>`

const gradeOf = (grade: string | null): string =>
  grade === null ? '' : `<span class="chip ${toneOfGrade(grade)}" title="Lint grade">Grade ${escapeHtml(grade)}</span>`

/** Where the entry leads beside its documentation. */
const linksOf = (catalogue: Catalogue, listed: Listed): string => {
  const name = escapeHtml(listed.name)
  const project = `${encodeURIComponent(catalogue.slug)}/projects/${encodeURIComponent(listed.slug)}`
  const links = [
    ['Documentation', listed.page],
    ...(listed.format === 'arazzo' ? [] : [['Changes', `${listed.page}#changes`]]),
    ['Document', listed.document],
    ['Atom feed', `/v1/tenants/${project}/changes.atom`],
  ]
  return links
    .map(([words = '', to = '']) => `<a href="${escapeHtml(to)}" aria-label="${words} of ${name}">${words}</a>`)
    .join('')
}

/** The operations that a search found, each with its API. */
const operationsOf = (catalogue: Catalogue, operations: readonly FoundOperation[]): string => {
  const byVersion = new Map(catalogue.projects.map((listed) => [listed.versionId, listed]))
  const items = operations.flatMap(({ versionId, ref, summary }) => {
    const listed = byVersion.get(versionId)
    if (listed === undefined) return []
    const said = summary === null || summary === '' ? '' : ` <span>${escapeHtml(summary)}</span>`
    return [
      `<li><a class="mono" href="${escapeHtml(`${listed.page}#${encodeURIComponent(ref)}`)}">${escapeHtml(ref)}</a>${said} <span class="of">${escapeHtml(listed.name)}</span></li>`,
    ]
  })
  return items.length === 0
    ? ''
    : `<h2 id="operations">Operations</h2><ul class="operations" aria-labelledby="operations">${items.join('\n')}</ul><h2>APIs</h2>`
}

const itemOf = (catalogue: Catalogue, listed: Listed, publicUrl: string): string => {
  const facts = [
    formatName(listed.format),
    ...(listed.operations > 0 ? [plural(listed.operations, 'operation')] : []),
    ...(listed.owner === null || listed.owner === '' ? [] : [`owned by ${listed.owner}`]),
    ...(listed.lifecycle === null ? [] : [listed.lifecycle]),
    ...(listed.versions > 1 ? [plural(listed.versions, 'version')] : []),
  ]
  const tag = (value: string): string =>
    `<a href="${escapeHtml(`${place(catalogue)}?${new URLSearchParams({ tag: value }).toString()}`)}">#${escapeHtml(value)}</a>`
  return `<li class="entry"><div class="top"><h2><a href="${escapeHtml(listed.page)}">${escapeHtml(listed.name)}</a></h2>
<span class="chip mono">${escapeHtml(listed.label)}</span>${listed.status === 'deprecated' ? '<span class="chip fair">deprecated</span>' : ''}${catalogue.look.showsGrades ? gradeOf(listed.grade) : ''}</div>
${listed.description === '' ? '' : `<p class="about">${escapeHtml(listed.description)}</p>`}
<p class="facts"><span>${facts.map(escapeHtml).join(' · ')} · published ${day(listed.publishedAt)}</span>${listed.tags.map(tag).join('')}</p>
<div class="links">${linksOf(catalogue, listed)}${badgesOf(catalogue, listed, publicUrl)}</div></li>`
}

const option = (value: string, words: string, chosen: string): string =>
  `<option value="${escapeHtml(value)}"${value === chosen ? ' selected' : ''}>${escapeHtml(words)}</option>`

const facetOf = ({ name, title, values }: Facet, asked: PortalQuery): string =>
  `<label>${title} <select name="${name}">${option('', 'All', asked[name])}${values
    .map(([value, count]) => option(value, `${name === 'format' ? formatName(value) : value} (${count})`, asked[name]))
    .join('')}</select></label>`

const pagerOf = (catalogue: Catalogue, asked: PortalQuery, { pages }: Shown): string => {
  if (pages < 2) return ''
  const page = Math.min(asked.page, pages)
  const link = (to: number, words: string): string => {
    const query = new URLSearchParams(
      Object.entries<string>({ ...asked, page: String(to) }).filter(([, value]) => value !== ''),
    )
    return `<a href="${escapeHtml(`${place(catalogue)}?${query.toString()}`)}">${words}</a>`
  }
  return `<nav aria-label="Pages" class="links">${page > 1 ? link(page - 1, 'Previous page') : ''} <span>Page ${page} of ${pages}</span> ${page < pages ? link(page + 1, 'Next page') : ''}</nav>`
}

/**
 * The portal of an organization as a page that works without scripts; one script copies texts.
 * @param publicUrl what addresses that leave the page begin with
 */
export const portalPage = (
  catalogue: Catalogue,
  asked: PortalQuery,
  shown: Shown & { readonly operations: readonly FoundOperation[] },
  { entry, publicUrl }: { readonly entry: Entry; readonly publicUrl: string },
): string => {
  const name = escapeHtml(catalogue.name)
  const here = escapeHtml(place(catalogue))
  const { title, introduction, logo } = catalogue.look
  const heading = escapeHtml(title ?? `APIs of ${catalogue.name}`)
  const address = escapeHtml(`${publicUrl}${place(catalogue)}`)
  const about = escapeHtml(
    `${plural(catalogue.projects.length, 'API', 'APIs')} of ${catalogue.name}, with their documentation.`,
  )
  const picture = logo === null ? '' : `<img src="${escapeHtml(logo)}" alt="" class="logo">`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<meta name="description" content="${about}">
<link rel="canonical" href="${address}">
<meta property="og:type" content="website">
<meta property="og:title" content="${heading}">
<meta property="og:description" content="${about}">
<meta property="og:url" content="${address}">
<meta property="og:site_name" content="${name}">
<link rel="sitemap" type="application/xml" href="${here}/sitemap.xml">
<link rel="icon" href="data:,">
<link rel="alternate" type="application/atom+xml" title="Published versions" href="${here}/feed.atom">
${entry.styles.map((path) => `<link rel="stylesheet" href="/app/${path}">`).join('\n')}
<script type="module" src="/app/${entry.script}"></script>
</head>
<body>
<header class="frame">${picture}<span>${name}</span><nav aria-label="Portal"><a href="${here}/feed.atom">Atom feed</a></nav></header>
<main class="portal">
<h1>${heading}</h1>
${introduction === null ? '' : `<div class="introduction">${safeHtml(introduction)}</div>`}
<form method="get" action="${here}" role="search" aria-label="APIs">
<div class="ask"><input type="search" name="q" value="${escapeHtml(asked.q)}" aria-label="Search" placeholder="Search APIs and operations"><button type="submit" class="main">Search</button></div>
${shown.facets.map((facet) => facetOf(facet, asked)).join('\n')}
<label>Order <select name="sort">${option('name', 'By name', asked.sort)}${option('newest', 'Newest first', asked.sort)}</select></label>
</form>
<p role="status">${plural(shown.total, 'API', 'APIs')}${shown.total === catalogue.projects.length ? '' : ` of ${catalogue.projects.length}. <a href="${here}">Show all</a>`}</p>
${operationsOf(catalogue, shown.operations)}
${shown.total === 0 ? '<p>No API matches. Use fewer words or another filter.</p>' : `<ul>${shown.items.map((it) => itemOf(catalogue, it, publicUrl)).join('\n')}</ul>`}
${pagerOf(catalogue, asked, shown)}
</main>
</body>
</html>
`
}
