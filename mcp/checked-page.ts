import { greatestFit, replySize } from './budget.ts'
import { cutTo } from '../src/kernel/text.ts'
import { SvcError } from '../src/errors.ts'

/** How many were shown before: a cursor of findings or changes is their number. @throws SvcError `cursor-invalid` */
export function skipped(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (!/^\d{1,8}$/.test(cursor)) throw new SvcError('cursor-invalid')
  return Number(cursor)
}

/** A text that always fits: long ones are cut. */
export const cutMessage = (message: string): string => cutTo(message, 1000)

/**
 * As many of a list as fit, at least one, with the cursor of the next.
 * @param from how many were shown before
 * @param total how many there are
 * @param frame the answer with these items
 */
export function fitting<T>(
  items: readonly T[],
  { from, total, budgetBytes }: { readonly from: number; readonly total: number; readonly budgetBytes: number },
  frame: (items: readonly T[], rest: { truncated: boolean; next_cursor: string | null }) => object,
): { readonly items: readonly T[]; readonly truncated: boolean; readonly next_cursor: string | null } {
  const cursorAfter = (count: number): string | null => (from + count < total ? String(from + count) : null)
  const answer = (count: number) => frame(items.slice(0, count), { truncated: true, next_cursor: '9'.repeat(30) })
  const count =
    replySize(answer(items.length)) <= budgetBytes ? items.length : greatestFit(items.length, answer, budgetBytes)
  const shown = items.slice(0, Math.max(count, Math.min(1, items.length)))
  const next = cursorAfter(shown.length)
  return { items: shown, truncated: next !== null, next_cursor: next }
}
