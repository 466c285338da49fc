/** The navigation of the documentation, read from its index: each heading of docs/README.md with the links below it. */
import { addressOf } from './render.ts'

export interface NavigationLink {
  readonly title: string
  readonly address: string
  /** The page's path below the documentation's folder. */
  readonly path: string
}

export interface NavigationGroup {
  readonly title: string
  readonly links: readonly NavigationLink[]
}

/** @param index the Markdown of docs/README.md: `## Group` followed by list items that begin with a link to a page */
export function readNavigation(index: string): NavigationGroup[] {
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
