/** Which lines of a text are not those of an earlier one. */
import { diffArrays } from 'diff'

/** Lines that took the place of others. */
export interface ChangedLines {
  /** The first new line, from 0; where lines were removed only, the one behind them. */
  readonly line: number
  /** How many lines are new. */
  readonly added: number
  /** How many lines of the earlier text are gone. */
  readonly removed: number
}

interface Part {
  readonly old: readonly [from: number, to: number]
  readonly now: readonly [from: number, to: number]
}

/** Beyond so many edits the search for the fewest takes too long: all of a part is then new. */
const mostEdits = 300

/** The largest set of pairs that are in the same order on both sides: patience sorting by the second number. */
function inOrder(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const tops: number[] = []
  const before = new Int32Array(pairs.length)
  pairs.forEach(([, now], at) => {
    let low = 0
    let high = tops.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < now) low = middle + 1
      else high = middle
    }
    before[at] = low === 0 ? -1 : (tops[low - 1] ?? -1)
    tops[low] = at
  })
  const chosen: (readonly [number, number])[] = []
  for (let at = tops.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at]
    if (pair !== undefined) chosen.push(pair)
  }
  return chosen.toReversed()
}

/** The lines that both parts have exactly once, as pairs of positions. */
function onceInBoth(old: readonly string[], now: readonly string[], { old: a, now: b }: Part) {
  const count = (lines: readonly string[], [from, to]: readonly [number, number]) => {
    const places = new Map<string, number>()
    for (let at = from; at < to; at++) places.set(lines[at] ?? '', places.has(lines[at] ?? '') ? -1 : at)
    return places
  }
  const after = count(now, b)
  return [...count(old, a)].flatMap(([line, at]) => {
    const other = after.get(line) ?? -1
    return at < 0 || other < 0 ? [] : [[at, other] as const]
  })
}

/**
 * Compares two texts line by line, in time that grows with their length and not with how much differs: lines that both have
 * once divide them into parts, in which the fewest edits are looked for.
 * @returns what changed, in reading order
 */
export const changedLines = (before: string, after: string): readonly ChangedLines[] =>
  before === after ? [] : changesOf(before.split('\n'), after.split('\n'))

/** The same of lines. */
export function changesOf(old: readonly string[], now: readonly string[]): readonly ChangedLines[] {
  const changes: ChangedLines[] = []
  const add = ({ old: [a, b], now: [c, d] }: Part): void => {
    if (a === b && c === d) return
    const last = changes.at(-1)
    if (last !== undefined && last.line + last.added === c)
      changes[changes.length - 1] = { line: last.line, added: last.added + d - c, removed: last.removed + b - a }
    else changes.push({ line: c, added: d - c, removed: b - a })
  }
  const trimmed = ({ old: [a, b], now: [c, d] }: Part): Part => {
    while (a < b && c < d && old[a] === now[c]) [a, c] = [a + 1, c + 1]
    while (a < b && c < d && old[b - 1] === now[d - 1]) [b, d] = [b - 1, d - 1]
    return { old: [a, b], now: [c, d] }
  }
  const smallest = (part: Part): void => {
    const [[a, b], [c, d]] = [part.old, part.now]
    const edits =
      a === b || c === d ? undefined : diffArrays(old.slice(a, b), now.slice(c, d), { maxEditLength: mostEdits })
    if (edits === undefined) return add(part)
    let [x, y] = [a, c]
    for (const { count, added, removed } of edits) {
      const [gone, come] = [added ? 0 : count, removed ? 0 : count]
      if (added || removed) add({ old: [x, x + gone], now: [y, y + come] })
      ;[x, y] = [x + gone, y + come]
    }
  }
  const whole = trimmed({ old: [0, old.length], now: [0, now.length] })
  const pairs = inOrder(onceInBoth(old, now, whole))
  let [a, c] = [whole.old[0], whole.now[0]]
  for (const [x, y] of [...pairs, [whole.old[1], whole.now[1]] as const]) {
    smallest(trimmed({ old: [a, x], now: [c, y] }))
    ;[a, c] = [x + 1, y + 1]
  }
  return changes
}
