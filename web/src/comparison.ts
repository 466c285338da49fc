import { queryOptions } from '@tanstack/react-query'
import type { ConsumerImpactReport } from '../../src/api/consumers.ts'
import { diffApi } from '../../src/api/diff.ts'
import type { Output } from '../../src/api/endpoint.ts'
import { call, callText } from './call.ts'
import type { Change } from './queries.ts'

/** A stored version of a project, as an address names it: "bookshop@2.0.0". */
export interface StoredRef {
  readonly project: string
  readonly version: string
}
/** A document that was pasted and is kept nowhere. */
export interface Pasted {
  readonly name: string
  readonly text: string
}
/** What is compared with what, and in which tenant. */
export interface Pair {
  readonly tenant: string
  readonly base: StoredRef
  readonly head: StoredRef | Pasted
}
export type Compared = Output<typeof diffApi.classified>
export type ConsumerImpact = ConsumerImpactReport['consumers'][number]

/** Reads "project@version"; null where one of the two is missing. A slug of a project has no "@", a label may. */
export const readRef = (text: string | undefined): StoredRef | null => {
  const at = text?.indexOf('@') ?? -1
  if (text === undefined || at < 1 || at === text.length - 1) return null
  return { project: text.slice(0, at), version: text.slice(at + 1) }
}
export const writeRef = ({ project, version }: StoredRef): string => `${project}@${version}`
export const isPasted = (head: StoredRef | Pasted): head is Pasted => 'text' in head

const bodyOf = ({ base, head }: Pair, consumers: boolean) => ({
  base,
  head: isPasted(head) ? { inline: head.text, name: head.name } : head,
  consumers,
})
const keyOf = ({ tenant, base, head }: Pair) => [tenant, writeRef(base), isPasted(head) ? head : writeRef(head)]

export const comparisonQuery = (pair: Pair, consumers: boolean) =>
  queryOptions({
    queryKey: ['diff', ...keyOf(pair), consumers],
    queryFn: () => call(diffApi.classified, { params: { tenant_slug: pair.tenant }, body: bodyOf(pair, consumers) }),
  })

/** The service's own report of a comparison, in one of the media types that it writes. */
export const reportOf = async (pair: Pair, consumers: boolean, mediaType: string): Promise<string> => {
  const input = {
    params: { tenant_slug: pair.tenant },
    headers: { accept: mediaType },
    body: bodyOf(pair, consumers),
  }
  return (await callText(diffApi.classified, input)).text
}

/** What the filters tell apart: what nobody could decide is no proven break. */
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

/** The changes that fit all filters, in their order. */
export const sift = (changes: readonly Change[], { kind, consumer, q }: Filters): Change[] => {
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
  return { kind: 'document', title: operations.length === 0 ? 'The document as a whole' : 'Several operations' }
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
