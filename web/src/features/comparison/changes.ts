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
}

const textOf = ({ id, message, operations, base, head }: Change): string =>
  [id, message, ...operations, base?.pointer ?? '', head?.pointer ?? ''].join(' ').toLowerCase()

/** The changes that match all filters, in their order. */
export const filterChanges = (changes: readonly Change[], { kind, consumer, q }: Filters): Change[] => {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return changes.filter((it) => {
    if (kind !== null && kindOf(it) !== kind) return false
    if (consumer !== null && !it.consumers.includes(consumer)) return false
    if (words.length === 0) return true
    const text = textOf(it)
    return words.every((word) => text.includes(word))
  })
}

/** Changes under one heading: of an operation, of a component that several operations share, or of all. */
export interface Group {
  readonly key: string
  readonly kind: 'operation' | 'component' | 'document'
  /** "GET /pets", the name of the component, or words. */
  readonly title: string
  /** Every operation that one of its changes reaches. */
  readonly operations: readonly string[]
  readonly changes: readonly Change[]
}

const component = /^\/(?:components\/[^/]+|definitions|\$defs|parameters|responses)\/([^/]+)/

const headingOf = ({ method, path, operations, base, head }: Change): Pick<Group, 'kind' | 'title'> => {
  if (path !== null) return { kind: 'operation', title: method === null ? path : `${method} ${path}` }
  const name = component.exec(head?.pointer ?? base?.pointer ?? '')?.[1]
  if (name !== undefined) return { kind: 'component', title: name.replaceAll('~1', '/').replaceAll('~0', '~') }
  const [only, ...others] = operations
  if (only !== undefined && others.length === 0) return { kind: 'operation', title: only }
  return { kind: 'document', title: operations.length === 0 ? 'Whole document' : 'Several operations' }
}

/** Groups changes by what they belong to, in the order in which the first of each comes: the worst is first. */
export const groupChanges = (changes: readonly Change[]): Group[] => {
  const groups = new Map<string, { readonly heading: Pick<Group, 'kind' | 'title'>; readonly changes: Change[] }>()
  for (const change of changes) {
    const heading = headingOf(change)
    const key = `${heading.kind} ${heading.title}`
    const group = groups.get(key)
    if (group) group.changes.push(change)
    else groups.set(key, { heading, changes: [change] })
  }
  return [...groups].map(([key, { heading, changes: own }]) => ({
    key,
    ...heading,
    operations: [...new Set(own.flatMap((it) => it.operations))],
    changes: own,
  }))
}
