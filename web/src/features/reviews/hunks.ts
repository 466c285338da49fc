/** Which changed lines belong to which changes, and the rows that show them. */
import type { Hunk, HunkPlace } from '../../../../src/api/reviews.ts'
import type { Thread } from '../../../../src/api/threads.ts'
import { changedRows, type DiffLine, type DiffRow, sameRow } from '../../parts/diff-pairs.ts'
import type { Group } from '../comparison/changes.ts'
import type { Change } from '../comparison/queries.ts'

/** Lines around a change that are shown with it. */
export const around = 4
/** More changed lines than this are another part of the list: only what is seen is drawn. */
const mostLines = 160

/** Places that follow each other so closely that their lines are shown as one. */
export interface Segment {
  readonly key: string
  /** The first and the last of the places. */
  readonly first: number
  readonly last: number
}

type Side = 'old' | 'now'
type ChangeRange = NonNullable<Change['base']>['range']

const startOf = (place: HunkPlace, side: Side): number => place[side]
const countOf = ({ removed, added }: HunkPlace, side: Side): number => (side === 'old' ? removed : added)

/** The first place that ends behind a line: places are in the order of both documents. */
const firstBehind = (places: readonly HunkPlace[], side: Side, line: number): number => {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const place = places[middle]
    if (place !== undefined && startOf(place, side) + countOf(place, side) <= line) low = middle + 1
    else high = middle
  }
  return low
}

/** The places with lines of a side between two lines, both included. */
const placesBetween = (places: readonly HunkPlace[], side: Side, from: number, to: number): readonly number[] => {
  const found: number[] = []
  for (let at = firstBehind(places, side, from); at < places.length; at++) {
    const place = places[at]
    if (place === undefined || startOf(place, side) > to) break
    if (countOf(place, side) > 0) found.push(at)
  }
  return found
}

const linesOf = (range: ChangeRange): readonly [from: number, to: number] | null => {
  if (range === null) return null
  const { start, end } = range
  return [start.line, end.character === 0 && end.line > start.line ? end.line - 1 : end.line]
}

/** The places that a change is in, each with how many lines the change spans there: the smallest tells most. */
const reachOf = (
  places: readonly HunkPlace[],
  { base, head }: Change,
): readonly (readonly [at: number, size: number])[] => {
  const sides: readonly (readonly [Side, ChangeRange])[] = [
    ['old', base?.range ?? null],
    ['now', head?.range ?? null],
  ]
  return sides.flatMap(([side, range]) => {
    const lines = linesOf(range)
    if (lines === null) return []
    const [from, to] = lines
    const found = placesBetween(places, side, from, to)
    // The range of a value may begin behind its key, which is what has another name: less certain than the lines themselves.
    const key = from === 0 ? [] : placesBetween(places, side, from - 1, from - 1)
    return [
      ...key.filter((at) => !found.includes(at)).map((at) => [at, to - from + 1] as const),
      ...found.map((at) => [at, to - from] as const),
    ]
  })
}

export interface Assigned {
  /** By the key of a group, its parts in the order of the document. */
  readonly segments: ReadonlyMap<string, readonly Segment[]>
  /** What no change reports: order, format, comments. */
  readonly others: readonly Segment[]
  /** By the fingerprint of a change, the place to jump to. */
  readonly placeOf: ReadonlyMap<string, number>
}

const isNear = (before: HunkPlace | undefined, after: HunkPlace | undefined): boolean =>
  before !== undefined && after !== undefined && after.now - before.now - before.added <= 2 * around

const segmentsOf = (places: readonly HunkPlace[], own: readonly number[]): readonly Segment[] => {
  const segments: Segment[] = []
  let lines = 0
  for (const at of own) {
    const [place, last] = [places[at], segments.at(-1)]
    if (place === undefined) continue
    const size = place.added + place.removed
    if (last !== undefined && last.last === at - 1 && isNear(places[at - 1], place) && lines + size <= mostLines) {
      segments[segments.length - 1] = { ...last, last: at }
      lines += size
    } else {
      segments.push({ key: `lines ${at}`, first: at, last: at })
      lines = size
    }
  }
  return segments
}

/** What no change names but is shown with the lines of one is of the same group: a list of what is required, beside the property. */
const joinNeighbours = (
  places: readonly HunkPlace[],
  owners: ({ readonly key: string; readonly size: number } | undefined)[],
): void => {
  for (let at = 1; at < places.length; at++)
    if (owners[at] === undefined && isNear(places[at - 1], places[at])) owners[at] = owners[at - 1]
  for (let at = places.length - 2; at >= 0; at--)
    if (owners[at] === undefined && isNear(places[at], places[at + 1])) owners[at] = owners[at + 1]
}

/** Gives each place to the change that says most exactly what it is, and so to a group: it is shown once. */
export const assignPlaces = (groups: readonly Group[], places: readonly HunkPlace[]): Assigned => {
  const owners: ({ readonly key: string; readonly size: number } | undefined)[] = []
  const placeOf = new Map<string, number>()
  for (const { key, changes } of groups)
    for (const change of changes) {
      const reach = reachOf(places, change)
      if (reach.length > 0) placeOf.set(change.fingerprint, Math.min(...reach.map(([at]) => at)))
      for (const [at, size] of reach) if (size < (owners[at]?.size ?? Infinity)) owners[at] = { key, size }
    }
  joinNeighbours(places, owners)
  const own = Map.groupBy(places.keys(), (at) => owners[at]?.key ?? '')
  const segments = new Map(groups.map(({ key }) => [key, segmentsOf(places, own.get(key) ?? [])]))
  return { segments, others: segmentsOf(places, own.get('') ?? []), placeOf }
}

/** Lines around a segment, as many as there are before the next change. */
export interface Window {
  /** The first line of the version that may be shown, and the one behind the last. */
  readonly least: number
  readonly most: number
}

export const windowOf = (places: readonly HunkPlace[], { first, last }: Segment, total: number): Window => {
  const [before, after] = [places[first - 1], places[last + 1]]
  return { least: before === undefined ? 0 : before.now + before.added, most: after?.now ?? total }
}

/** Lines of the version by their number, from 0. */
export type KnownLines = ReadonlyMap<number, Omit<DiffLine, 'number'>>

const numbered = (lines: readonly Omit<DiffLine, 'number'>[], first: number): readonly DiffLine[] =>
  lines.map((it, at) => ({ ...it, number: first + at + 1 }))

/** The rows of a segment whose lines are here: `extra` are lines around it that were asked for. */
export const rowsOf = (
  places: readonly HunkPlace[],
  { first, last }: Segment,
  hunks: readonly Hunk[],
  extra: KnownLines,
): readonly DiffRow[] => {
  const rows: DiffRow[] = []
  let next = -1
  const same = (line: number, text: Omit<DiffLine, 'number'>, shift: number): void => {
    if (line < next) return
    rows.push(sameRow({ ...text, number: line + 1 - shift }, { ...text, number: line + 1 }))
    next = line + 1
  }
  const [start, end] = [places[first], places[last]]
  if (start === undefined || end === undefined) return rows
  const [head, tail] = [start.now - (hunks[0]?.before.length ?? 0), end.now + end.added]
  for (const [line, text] of [...extra].toSorted(([a], [b]) => a - b))
    if (line < head) same(line, text, start.now - start.old)
  for (const [at, hunk] of hunks.entries()) {
    const place = places[first + at]
    if (place === undefined) continue
    const { old, now, added, removed } = place
    for (const [index, it] of hunk.before.entries()) same(now - hunk.before.length + index, it, now - old)
    rows.push(...changedRows(numbered(hunk.old, old), numbered(hunk.now, now)))
    next = now + added
    for (const [index, it] of hunk.after.entries()) same(now + added + index, it, now + added - old - removed)
  }
  const shift = tail - end.old - end.removed
  for (const [line, text] of [...extra].toSorted(([a], [b]) => a - b)) if (line >= tail) same(line, text, shift)
  return rows
}

/** Where a thread is: on a line of the version, or on one that only the base has. */
export const standOf = ({ anchor, anchor_state: state, place }: Thread, base: string | null): readonly [Side, number] =>
  state === 'outdated' && anchor.range !== null && anchor.version_digest === base
    ? ['old', anchor.range.start.line]
    : ['now', place.range.start.line]

/** Whether the lines of a segment have a line of a side. */
export const hasLine = (
  places: readonly HunkPlace[],
  segment: Segment,
  [side, line]: readonly [Side, number],
): boolean => {
  const [first, last] = [places[segment.first], places[segment.last]]
  if (first === undefined || last === undefined) return false
  if (side === 'now') {
    const { least, most } = windowOf(places, segment, Infinity)
    return line >= Math.max(least, first.now - around) && line < Math.min(most, last.now + last.added + around)
  }
  return placesBetween(places, 'old', line, line).some((at) => at >= segment.first && at <= segment.last)
}
