/** Which items of a list became which items of another one: what an edit of the list leaves, changes, removes and adds. */
import { isEqual } from '../anchors/equal-nodes.ts'
import type { Json } from '../kernel/json.ts'

/** A step from one list to another: the position of an item in either; null where the list does not have it. */
export interface Aligned {
  readonly before: number | null
  readonly after: number | null
}

/** Longer middles are paired in order: the table of a common subsequence grows with the product of both lengths. */
const mostCells = 250_000

/** Pairs of equal items, in order, between two stretches: the longest common subsequence. */
function commonItems(before: readonly Json[], after: readonly Json[]): (readonly [number, number])[] {
  const width = after.length + 1
  const lengths = new Int32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] = isEqual(before[i]!, after[j]!)
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (isEqual(before[i]!, after[j]!)) pairs.push([i++, j++])
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++
    else j++
  }
  return pairs
}

/**
 * How one list became another. Equal items are kept; between them, items are paired in order as changed ones, and what is left
 * over was removed or added.
 * @param after the list that it became
 * @returns the steps in the order of both lists
 */
export function alignLists(before: readonly Json[], after: readonly Json[]): readonly Aligned[] {
  const least = Math.min(before.length, after.length)
  let head = 0
  while (head < least && isEqual(before[head]!, after[head]!)) head++
  let tail = 0
  while (tail < least - head && isEqual(before[before.length - 1 - tail]!, after[after.length - 1 - tail]!)) tail++
  const [from, to] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
  const inner = from.length * to.length > mostCells ? [] : commonItems(from, to)
  const steps: Aligned[] = Array.from({ length: head }, (_, at) => ({ before: at, after: at }))
  let [i, j] = [0, 0]
  for (const [nextI, nextJ] of [...inner, [from.length, to.length] as const]) {
    while (i < nextI && j < nextJ) steps.push({ before: head + i++, after: head + j++ })
    while (i < nextI) steps.push({ before: head + i++, after: null })
    while (j < nextJ) steps.push({ before: null, after: head + j++ })
    if (i < from.length && j < to.length) steps.push({ before: head + i++, after: head + j++ })
  }
  for (let at = tail; at > 0; at--) steps.push({ before: before.length - at, after: after.length - at })
  return steps
}
