/** Lists of a directory: a filter over what is kept, in pages. */
import { yieldToEventLoop } from '../../db/yield.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { listOf, maxPage, selected, type Selection } from '../../src/scim/answer.ts'
import { type Filter, fitsFilter } from '../../src/scim/filter.ts'
import type { Schema } from '../../src/scim/resource.ts'

/** What a client asks of a list. */
export interface ListQuery extends Selection {
  readonly filter?: string | undefined
  readonly startIndex?: number | undefined
  readonly count?: number | undefined
}

/** How an answer is written: the address of the interface, and which attributes are wanted. */
export interface AnswerTo {
  readonly base: string
  readonly selection: Selection
}

const defaultCount = 100
const filteredAtOnce = 500

/** The resources of a page: values below the least ones are taken for those (RFC 7644, section 3.4.2.4). */
export function pageOf<T>(all: readonly T[], { startIndex = 1, count = defaultCount }: ListQuery) {
  const from = Math.max(startIndex, 1)
  const most = Math.min(Math.max(count, 0), maxPage)
  return { from, items: all.slice(from - 1, from - 1 + most), total: all.length }
}

/** Those of many that fit a filter, giving others their turn. */
export async function fitting<T>(
  all: readonly T[],
  filter: Filter | null,
  resourceOf: (item: T) => JsonObject,
): Promise<readonly T[]> {
  if (filter === null) return all
  const found: T[] = []
  for (const [at, item] of all.entries()) {
    if (at % filteredAtOnce === filteredAtOnce - 1) await yieldToEventLoop()
    if (fitsFilter(filter, resourceOf(item))) found.push(item)
  }
  return found
}

/** The answer of a list. */
export const answerList = (
  schema: Schema,
  { from, total }: { readonly from: number; readonly total: number },
  resources: readonly JsonObject[],
  query: ListQuery,
): JsonObject =>
  listOf(
    resources.map((it) => selected(schema, it, query)),
    total,
    from,
  )
