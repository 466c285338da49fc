/** The navigation of the documentation, read from its index: each heading of docs/README.md with the links below it. */
import { escapeHtml, targetOf } from './render.ts'

export interface NavigationLink {
  readonly title: string
  readonly address: string
  /** What the page is about, where the index says it. */
  readonly note: string
  /** The part of its group that the link is in: a heading of the third level; empty where there is none. */
  readonly part: string
}

export interface NavigationGroup {
  readonly title: string
  readonly links: readonly NavigationLink[]
}

/** @param index the Markdown of docs/README.md: `## Group` and `### Part`, followed by list items that contain links to pages */
export function readNavigation(index: string): NavigationGroup[] {
  const groups: { title: string; links: NavigationLink[] }[] = []
  let part = ''
  for (const line of index.split('\n')) {
    const [, marks, heading] = /^(##|###) (.+)$/.exec(line) ?? []
    if (heading !== undefined) part = marks === '##' ? '' : heading.trim()
    if (heading !== undefined && marks === '##') groups.push({ title: heading.trim(), links: [] })
    const [, title, path, note = ''] = /^- \[([^\]]+)\]\(([^)#\s]+\.md)\)[:,]?\s*(.*)$/.exec(line) ?? []
    if (title !== undefined && path !== undefined)
      groups
        .at(-1)
        ?.links.push({ title: title.replaceAll('`', ''), address: targetOf(path, 'README.md', (it) => it), note, part })
  }
  return groups.filter((group) => group.links.length > 0)
}

const isBelow = (link: NavigationLink, address: string): boolean =>
  link.address !== '/docs' && address.startsWith(`${link.address}/`)

const itemHtml = (link: NavigationLink, address: string): string => {
  const above = isBelow(link, address) ? ' aria-current="true"' : ''
  const mark = link.address === address ? ' aria-current="page"' : above
  return `<li><a href="${link.address}"${mark}>${escapeHtml(link.title)}</a></li>`
}

/** The groups as lists of links; the link of the page, or of the page above it, is marked. */
export const navigationHtml = (groups: readonly NavigationGroup[], address: string): string =>
  groups
    .map(({ title, links }) => {
      const parts = [...Map.groupBy(links, ({ part }) => part)].map(([part, those]) => {
        const heading = part === '' ? '' : `<h3>${escapeHtml(part)}</h3>`
        return `${heading}<ul>${those.map((link) => itemHtml(link, address)).join('')}</ul>`
      })
      return `<section><h2>${escapeHtml(title)}</h2>${parts.join('')}</section>`
    })
    .join('')

/** Where a page is: its group, and the page above it. Empty for the first page and for what the index does not list. */
export function pathHtml(groups: readonly NavigationGroup[], address: string): string {
  for (const { title, links } of groups) {
    const found = links.find((link) => link.address === address) ?? links.find((link) => isBelow(link, address))
    if (found === undefined) continue
    const above = found.address === address ? '' : ` › <a href="${found.address}">${escapeHtml(found.title)}</a>`
    return `<p class="path">${escapeHtml(title)}${above}</p>`
  }
  return ''
}
