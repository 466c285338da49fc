import { queryOptions } from '@tanstack/react-query'
import type { ConsumerImpactReport } from '../../../../src/api/consumer-shapes.ts'
import { diffApi } from '../../../../src/api/diff.ts'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { ChangeShape, StaticOf } from '../../../../src/api/shapes.ts'
import { call, callLarge, callText } from '../../call.ts'

export type Change = StaticOf<typeof ChangeShape>

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
/** What is compared with what, and in which organization. */
export interface Pair {
  readonly tenant: string
  readonly base: StoredRef
  readonly head: StoredRef | Pasted
}
export type Compared = Output<typeof diffApi.classified> & {
  /** The fingerprints of changes of which values are not here, since they are too long. */
  readonly omitted?: readonly string[]
}
export type ConsumerImpact = ConsumerImpactReport['consumers'][number]

/** Reads "project@version"; null where one of the two is missing. A slug of a project has no "@", a label may. */
export const readRef = (text: string | undefined): StoredRef | null => {
  const at = text?.indexOf('@') ?? -1
  if (text === undefined || at < 1 || at === text.length - 1) return null
  return { project: text.slice(0, at), version: text.slice(at + 1) }
}
export const writeRef = ({ project, version }: StoredRef): string => `${project}@${version}`
export const isPasted = (head: StoredRef | Pasted): head is Pasted => 'text' in head

/** The first part of the key of every comparison. */
export const comparisonKey = (tenant: string) => ['comparison', tenant] as const

const bodyOf = ({ base, head }: Pair, consumers: boolean) => ({
  base,
  head: isPasted(head) ? { inline: head.text, name: head.name } : head,
  consumers,
})
const keyOf = ({ tenant, base, head }: Pair) => [
  ...comparisonKey(tenant),
  writeRef(base),
  isPasted(head) ? head : writeRef(head),
]

/** The comparison of two stored versions, read in pages: the whole of two large documents has megabytes. */
const readPages = async (tenant: string, base: StoredRef, head: StoredRef, consumers: boolean): Promise<Compared> => {
  const read = (page: number) =>
    call(diffApi.pages, {
      params: { tenant_slug: tenant },
      query: {
        base_project: base.project,
        base_version: base.version,
        head_project: head.project,
        head_version: head.version,
        consumers,
        page,
      },
    })
  const { page: _page, pages, total: _total, changes, omitted, ...first } = await read(0)
  const rest = await Promise.all(Array.from({ length: pages - 1 }, (_, index) => read(index + 1)))
  // A draft was saved between two pages: they are of different texts.
  if (rest.some((it) => it.base.digest !== first.base.digest || it.head.digest !== first.head.digest))
    return readPages(tenant, base, head, consumers)
  return {
    ...first,
    changes: [...changes, ...rest.flatMap((it) => it.changes)],
    omitted: [...omitted, ...rest.flatMap((it) => it.omitted)],
  }
}

export const comparisonQuery = (pair: Pair, consumers: boolean) =>
  queryOptions({
    queryKey: [...keyOf(pair), consumers],
    queryFn: (): Promise<Compared> => {
      const { tenant, base, head } = pair
      return isPasted(head)
        ? callLarge(diffApi.classified, { params: { tenant_slug: tenant }, body: bodyOf(pair, consumers) })
        : readPages(tenant, base, head, consumers)
    },
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

/** One change rule with its explanation. Rules are part of the program: what was read stays valid. */
export const changeRuleQuery = (tenant: string, id: string) =>
  queryOptions({
    queryKey: ['change-rules', tenant, id],
    queryFn: () => call(diffApi.rule, { params: { tenant_slug: tenant, rule_id: id } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
