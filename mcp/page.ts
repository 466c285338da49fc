import { greatestFit } from './budget.ts'
import { cutTo } from '../src/kernel/text.ts'

interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
  readonly next_cursor: string | null
}

export interface BoundedPage<T> {
  items: T[]
  total: number
  truncated: boolean
  next_cursor: string | null
}

/** Texts of list items are cut here, so that one item always fits. */
const longestText = 240

const shortList = (value: unknown): unknown => (Array.isArray(value) ? value.slice(0, 12) : value)

const short = <T extends object>(item: T): T =>
  Object.fromEntries(
    Object.entries(item).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'string' ? cutTo(value, longestText) : shortList(value),
    ]),
  ) as T

/**
 * A page of a list as far as the budget reaches. Where not all of it fits, fewer are asked for again, so that
 * `next_cursor` continues exactly after the last item that is shown.
 *
 * @param ask fetches a page of at most that many items
 * @param frame what is around the page in the answer, since it takes budget too
 */
export async function boundedPage<T extends object>(
  ask: (limit: number) => Promise<Page<T>>,
  options: { readonly limit: number; readonly budgetBytes: number; readonly frame?: (page: BoundedPage<T>) => object },
): Promise<BoundedPage<T>> {
  const frame = options.frame ?? ((page: BoundedPage<T>) => page)
  const answer = (page: Page<T>, count: number): BoundedPage<T> => ({
    items: page.items.slice(0, count).map(short),
    total: page.total,
    truncated: page.next_cursor !== null,
    next_cursor: page.next_cursor,
  })
  const first = await ask(options.limit)
  // The cursor of a shorter page is about as long; a little is kept back for it.
  const fits = (count: number) => frame({ ...answer(first, count), next_cursor: 'x'.repeat(320) })
  const count = Math.max(1, greatestFit(first.items.length, fits, options.budgetBytes))
  if (count >= first.items.length) return answer(first, first.items.length)
  const fewer = await ask(count)
  return answer(fewer, fewer.items.length)
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The fields that have a value: what is not asked stays out of a query. */
export const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
