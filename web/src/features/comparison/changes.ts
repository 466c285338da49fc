import { compareText } from '../../parts/text.ts'
import type { Change } from './queries.ts'

/** The kinds that can be filtered; an undecided change is not a proven break. */
export const kinds = ['breaking', 'undecided', 'non-breaking', 'docs-only'] as const
export type Kind = (typeof kinds)[number]
export const kindOf = ({ severity, classification }: Change): Kind =>
  severity === 'breaking' && classification === 'unknown' ? 'undecided' : severity

export const countKinds = (changes: readonly Change[]): Record<Kind, number> => {
  const counts = { breaking: 0, undecided: 0, 'non-breaking': 0, 'docs-only': 0 }
  for (const change of changes) counts[kindOf(change)]++
  return counts
}

export interface Filters {
  readonly kind: string | null
  readonly consumer: string | null
  /** Words that all have to be in it. */
  readonly q: string
  /** The operation or component that it belongs to, as the tree names it. */
  readonly at: string | null
}

const textOf = ({ id, message, operations, base, head }: Change): string =>
  [id, message, ...operations, base?.pointer ?? '', head?.pointer ?? ''].join(' ').toLowerCase()

/** The changes that match all filters, in their order. */
export const filterChanges = (changes: readonly Change[], { kind, consumer, q, at }: Filters): Change[] => {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return changes.filter((change) => {
    if (kind !== null && kindOf(change) !== kind) return false
    if (at !== null && keyOfHeading(headingOf(change)) !== at) return false
    if (consumer !== null && !change.consumers.includes(consumer)) return false
    const text = textOf(change)
    return words.every((word) => text.includes(word))
  })
}

/** A change, with the others that say the same of other operations. */
export interface Told {
  readonly change: Change
  /** Itself and the others. */
  readonly all: readonly Change[]
  /** Every operation that one of them names. */
  readonly operations: readonly string[]
  /** How many operations they reach: an answer does not name thousands with each change. */
  readonly reach: number
}

/** Changes under one heading: of an operation, of a component that several operations share, or of all. */
export interface Group {
  readonly key: string
  readonly kind: 'repeated' | 'operation' | 'component' | 'document'
  /** "GET /pets", the name of the component, or words. */
  readonly title: string
  readonly told: readonly Told[]
  /** How many changes it has, those that repeat others included. */
  readonly changes: readonly Change[]
}

const component = /^\/(?:components\/[^/]+|definitions|\$defs|parameters|responses)\/([^/]+)/

type Heading = Pick<Group, 'kind' | 'title'>

/** What a change belongs to. */
export const headingOf = ({ method, path, operations, base, head }: Change): Heading => {
  if (path !== null) return { kind: 'operation', title: method === null ? path : `${method} ${path}` }
  const name = component.exec(head?.pointer ?? base?.pointer ?? '')?.[1]
  if (name !== undefined) return { kind: 'component', title: name.replaceAll('~1', '/').replaceAll('~0', '~') }
  const [only, ...others] = operations
  if (only !== undefined && others.length === 0) return { kind: 'operation', title: only }
  return { kind: 'document', title: operations.length === 0 ? 'Whole document' : 'Several operations' }
}

export const keyOfHeading = ({ kind, title }: Heading): string => `${kind} ${title}`

const repeated: Heading = { kind: 'repeated', title: 'Repeated changes' }

/** Changes that say the same. */
export const toldOf = (change: Change, all: readonly Change[]): Told => {
  const operations = [...new Set(all.flatMap((it) => it.operations))]
  return { change, all, operations, reach: Math.max(operations.length, ...all.map((it) => it.reach ?? 0)) }
}

/** Changes that say the same of different places are one entry, with all of their operations. */
export const tellOnce = (changes: readonly Change[]): readonly Told[] => {
  const told = Map.groupBy(changes, ({ id, severity, classification, direction, message }) =>
    JSON.stringify([id, severity, classification, direction, message]),
  )
  return [...told.values()].flatMap((all): readonly Told[] => {
    const [change] = all
    return change === undefined ? [] : [toldOf(change, all)]
  })
}

/**
 * Groups changes by what they belong to, in the order in which the first of each comes: the worst is first. What several of
 * them repeat has a group of its own.
 */
export const groupChanges = (changes: readonly Change[]): readonly Group[] => {
  const groups = new Map<string, { readonly heading: Heading; readonly told: Told[] }>()
  for (const told of tellOnce(changes)) {
    const headings = new Set(told.all.map((it) => keyOfHeading(headingOf(it))))
    const heading = headings.size > 1 ? repeated : headingOf(told.change)
    const key = keyOfHeading(heading)
    const group = groups.get(key)
    if (group) group.told.push(told)
    else groups.set(key, { heading, told: [told] })
  }
  return [...groups].map(([key, { heading, told }]) => ({
    key,
    ...heading,
    told,
    changes: told.flatMap(({ all }) => all),
  }))
}

/** What the tree lists: an operation or a component, with how many of its changes are of which kind. */
export interface Node extends Heading {
  readonly key: string
  readonly counts: Record<Kind, number>
}

/** The operations and components of changes, the worst first, then by name. */
export const nodesOf = (changes: readonly Change[]): readonly Node[] => {
  const rank = ({ counts }: Node): number => kinds.findIndex((it) => counts[it] > 0)
  return [...Map.groupBy(changes, (it) => keyOfHeading(headingOf(it)))]
    .flatMap(([key, all]): readonly Node[] => {
      const [first] = all
      return first === undefined ? [] : [{ key, ...headingOf(first), counts: countKinds(all) }]
    })
    .toSorted((a, b) => rank(a) - rank(b) || compareText(a.title, b.title))
}
