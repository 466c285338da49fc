/** Where a reader is in the documentation, as the fragment of the address says it. */
import type { ReaderIndex } from '../../src/api/reader.ts'
import { count } from '../src/parts/text.ts'

export type PagePlace =
  | { readonly kind: 'introduction' }
  | { readonly kind: 'changes' }
  | { readonly kind: 'operation'; readonly index: number }
  | { readonly kind: 'schema'; readonly index: number }
  | { readonly kind: 'group'; readonly index: number }
  /** Something that this version does not have. */
  | { readonly kind: 'unknown'; readonly name: string }

type Listed = ReaderIndex['operations'][number]

/** An operation as an address names it: "GET /pets", "webhook POST newPet". */
export const refOf = ({ isWebhook, method, path }: Listed): string => `${isWebhook ? 'webhook ' : ''}${method} ${path}`

const fragmentOf = (index: ReaderIndex, place: PagePlace): string => {
  switch (place.kind) {
    case 'operation': {
      const operation = index.operations[place.index]
      return operation === undefined ? '' : refOf(operation)
    }
    case 'schema':
      return `schema/${index.schemas[place.index] ?? ''}`
    case 'group':
      return `group/${index.groups[place.index]?.name ?? ''}`
    case 'unknown':
      return place.name
    case 'changes':
      return 'changes'
    case 'introduction':
      return ''
  }
}

/** The address of a place on this page. */
export const hrefOf = (index: ReaderIndex, place: PagePlace): string =>
  `#${encodeURIComponent(fragmentOf(index, place))}`

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The place that a fragment names, with or without its "#". */
export const placeOf = (index: ReaderIndex, fragment: string): PagePlace => {
  const name = decoded(fragment.replace(/^#/, ''))
  if (name === '') return { kind: 'introduction' }
  if (name === 'changes') return { kind: 'changes' }
  const [, kind, rest = ''] = /^(schema|group)\/([\s\S]*)$/.exec(name) ?? []
  if (kind === 'schema' && index.schemas.includes(rest)) return { kind: 'schema', index: index.schemas.indexOf(rest) }
  const group = kind === 'group' ? index.groups.findIndex((it) => it.name === rest) : -1
  if (group >= 0) return { kind: 'group', index: group }
  const operation = index.operations.findIndex((it) => refOf(it) === name || it.operationId === name)
  return operation >= 0 ? { kind: 'operation', index: operation } : { kind: 'unknown', name }
}

/** The first operation of each group, as an index. */
export const groupStarts = ({ groups }: ReaderIndex): number[] => {
  let at = 0
  return groups.map(({ count }) => {
    const start = at
    at += count
    return start
  })
}

/** How many there are in words. A webhook is a call of the API to its client, so it is no operation; it is counted apart, as in the catalogue. */
export const countWords = (listed: readonly Listed[]): string => {
  const webhooks = listed.filter((it) => it.isWebhook).length
  const operations = listed.length - webhooks
  const said = [
    ...(operations > 0 || webhooks === 0 ? [count(operations, 'operation', 'operations')] : []),
    ...(webhooks > 0 ? [count(webhooks, 'webhook', 'webhooks')] : []),
  ]
  return said.join(' and ')
}

/** "5", or "5 + 1" where a webhook is among them. */
export const shortCount = (listed: readonly Listed[]): string => {
  const webhooks = listed.filter((it) => it.isWebhook).length
  return [listed.length - webhooks, webhooks]
    .filter((it) => it > 0)
    .map((it) => it.toLocaleString())
    .join(' + ')
}

/** The operations of each group, in its order. */
export const groupOperations = (index: ReaderIndex): ReaderIndex['operations'][] => {
  const starts = groupStarts(index)
  return index.groups.map(({ count }, at) => index.operations.slice(starts[at] ?? 0, (starts[at] ?? 0) + count))
}

/** What a place is called, for the title of the page; "" for the introduction. */
export const nameOf = (index: ReaderIndex, place: PagePlace): string => {
  if (place.kind === 'operation') {
    const operation = index.operations[place.index]
    return operation === undefined ? '' : operation.summary || refOf(operation)
  }
  if (place.kind === 'schema') return index.schemas[place.index] ?? ''
  if (place.kind === 'group') return index.groups[place.index]?.name ?? ''
  return place.kind === 'changes' ? 'Changes' : ''
}
