/** Reads a YAML text again after an edit of one part: the values of all other parts are those of before, the very same objects. */
import type { Document, Problem } from './document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { defaultLimits } from './limits.ts'
import { nodeKind, type Outline } from './outline.ts'
import { documentFrom, outlineOf, parseDocument } from './parse.ts'
import { getPath } from '../kernel/pointer.ts'
import type { Position } from './position.ts'
import { scanJson } from './scan-json.ts'
import { scanYaml } from './scan-yaml.ts'
import { TooDeep } from './too-deep.ts'
import { findOddities } from './value-check.ts'
import { findFirstDocument } from './yaml-stream.ts'
import { lineStart } from '../kernel/text.ts'
import { parseYaml } from '../host/engine.ts'

/** Where a text differs from an earlier one: what precedes `start` and what follows the ends is the same in both. */
export interface Difference {
  readonly start: number
  /** In the earlier text. */
  readonly before: number
  /** In the present one. */
  readonly after: number
}

/** An entry of a block map whose lines hold all that differs. */
interface Part {
  readonly path: Path
  /** In the outlines of both texts. */
  readonly before: number
  readonly after: number
  /** Its lines, in the present text. */
  readonly from: number
  readonly to: number
}

// Deeper parts are hardly smaller.
const deepest = 3

const childrenOf = (outline: Outline, id: number): number[] => [...outline.children(id)]

/** Null where a child is not an entry that begins its own line. */
function beginsOf(outline: Outline, ids: readonly number[]): number[] | null {
  const begins: number[] = []
  for (const id of ids) {
    const key = outline.keyStart[id] ?? -1
    const begin = key < 0 ? -1 : lineStart(outline.text, key)
    if (begin < 0 || !/^ *$/.test(outline.text.slice(begin, key))) return null
    begins.push(begin)
  }
  return begins
}

/** The smallest part that holds a difference, where both texts have the same parts beside it; null where there is none. */
function partOf(earlier: Outline, present: Outline, { start, before, after }: Difference): Part | null {
  let found: Part | null = null
  let [old, now] = [0, 0]
  let to = present.text.length
  const path: (string | number)[] = []
  const shift = after - before
  while (path.length < deepest) {
    if (earlier.kind[old] !== nodeKind.map || present.kind[now] !== nodeKind.map) break
    const [olds, news] = [childrenOf(earlier, old), childrenOf(present, now)]
    if (olds.length !== news.length) break
    const [oldBegins, begins] = [beginsOf(earlier, olds), beginsOf(present, news)]
    if (oldBegins === null || begins === null) break
    let index = begins.findLastIndex((begin) => begin <= start)
    // An edit at the begin of an entry may be one of the entry before it.
    if (index > 0 && begins[index] === start && after > start) index -= 1
    if (index === -1) break
    const from = begins[index] ?? 0
    const end = begins[index + 1] ?? to
    if (after > end || (after === end && end < to) || oldBegins[index] !== from) break
    if (index + 1 < begins.length && oldBegins[index + 1] !== end - shift) break
    ;[old, now, to] = [olds[index] ?? 0, news[index] ?? 0, end]
    path.push(present.key(now))
    found = { path: [...path], before: old, after: now, from, to }
  }
  return found
}

const countEntries = (outline: Outline, id: number): number => {
  let count = 0
  for (let at = id; at < (outline.stop[id] ?? id + 1); at++) if ((outline.keyStart[at] ?? -1) >= 0) count++
  return count
}

/** The value of an entry alone; undefined where it is not one entry, or not certain to be what it is within its document. */
function valueOf(outline: Outline, { after, from, to }: Part): Json | undefined {
  let read: Json
  try {
    read = parseYaml(outline.text.slice(from, to)) as Json
  } catch {
    return undefined
  }
  if (!isObject(read)) return undefined
  const [entry, ...others] = Object.entries(read)
  if (entry === undefined || others.length > 0 || entry[0] !== outline.key(after)) return undefined
  const { entries, found } = findOddities(read, false)
  return found.length > 0 || entries !== countEntries(outline, after) ? undefined : entry[1]
}

/** A value with another one at a path, whose last key may have had another name. */
function spliced(value: Json, path: Path, old: string, put: Json): Json | undefined {
  const [step, ...rest] = path
  if (step === undefined || !isObject(value)) return undefined
  const map: JsonObject = value
  if (rest.length > 0) {
    const inner = spliced(map[step] ?? null, rest, old, put)
    return inner === undefined ? undefined : { ...map, [step]: inner }
  }
  if (old === step) return { ...map, [step]: put }
  if (Object.hasOwn(map, step)) return undefined
  return Object.fromEntries(Object.entries(map).map(([key, it]) => (key === old ? [step, put] : [key, it])))
}

/** The same for JSON, where an entry ends with its value, whatever its lines are. */
function reparseJson(earlier: Document, text: string, difference: Difference): Reparsed | null {
  const outline = outlineOf(earlier)
  const { start, before, after } = difference
  let id = 0
  const path: (string | number)[] = []
  while (path.length < deepest && outline.kind[id] === nodeKind.map) {
    const inner = childrenOf(outline, id).find(
      (it) => (outline.start[it] ?? 0) <= start && before <= (outline.end[it] ?? 0),
    )
    if (inner === undefined) break
    path.push(outline.key(inner))
    id = inner
  }
  const from = outline.start[id] ?? 0
  const to = (outline.end[id] ?? 0) + after - before
  if (path.length === 0) return null
  try {
    const value = JSON.parse(text.slice(from, to)) as Json
    const present = scanJson(text, defaultLimits.maxDepth)
    const part = present.find(path)
    const { entries, found } = findOddities({ part: value }, false)
    if (part.depth < path.length || found.length > 0 || entries !== countEntries(present, part.id)) return null
    const whole = spliced(earlier.value, path, String(path.at(-1)), value)
    return whole === undefined ? null : { document: documentFrom(present, whole, earlier), part: path }
  } catch (error) {
    if (error instanceof TooDeep || error instanceof SyntaxError) return null
    throw error
  }
}

/** A document, and the path of the entry of it that alone was read. */
export interface Reparsed {
  readonly document: Document
  readonly part: Path
}

/**
 * Reads a text that differs from an earlier one in one entry of its maps.
 * @param earlier a document without problems
 * @param difference where the texts differ
 * @returns the same as `parseDocument`, with the path of the entry; null where the whole text has to be read
 */
export function reparse(earlier: Document, text: string, difference: Difference): Reparsed | null {
  if (earlier.problems.length > 0 || !isObject(earlier.value)) return null
  // Characters that are reported.
  if (/[\0\uFFFD]/.test(text.slice(difference.start, difference.after))) return null
  if (earlier.syntax === 'json') return reparseJson(earlier, text, difference)
  const { from, to, next } = findFirstDocument(text)
  if (next !== null || to !== text.length) return null
  let scan
  try {
    scan = scanYaml(text, from, defaultLimits)
  } catch (error) {
    if (error instanceof TooDeep) return null
    throw error
  }
  if (scan.aliased || scan.notices.length > 0) return null
  const old = outlineOf(earlier)
  const part = partOf(old, scan.outline, difference)
  const value = part === null ? undefined : valueOf(scan.outline, part)
  if (part === null || value === undefined) return null
  const oldName = old.key(part.before)
  const holder = getPath(earlier.value, part.path.slice(0, -1))
  if (!isObject(holder) || !Object.hasOwn(holder, oldName)) return null
  const whole = spliced(earlier.value, part.path, oldName, value)
  return whole === undefined ? null : { document: documentFrom(scan.outline, whole, earlier), part: part.path }
}

function countLines(text: string, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** The lines of the smallest entry of a text in YAML that held what differs; null where that is all of it. */
function linesBefore(
  outline: Outline,
  { start, before }: Difference,
): { readonly from: number; readonly to: number } | null {
  let found: { readonly from: number; readonly to: number } | null = null
  let to = outline.text.length
  let id = 0
  for (let depth = 0; depth < deepest && outline.kind[id] === nodeKind.map; depth++) {
    const entries = childrenOf(outline, id)
    const begins = beginsOf(outline, entries)
    if (begins === null) break
    const index = begins.findLastIndex((begin) => begin <= start)
    const end = begins[index + 1] ?? to
    if (index === -1 || before >= end) break
    found = { from: begins[index] ?? 0, to: end }
    id = entries[index] ?? 0
    to = end
  }
  return found
}

/**
 * Why a text in YAML cannot be read, by a look at the part alone that differs from an earlier text: sooner than by reading all of it.
 * @param earlier a document without problems
 * @returns the syntax error at its place in the text; null where the part has none
 */
export function faultOfPart(earlier: Document, text: string, difference: Difference): Problem | null {
  if (earlier.syntax !== 'yaml' || earlier.problems.length > 0) return null
  const lines = linesBefore(outlineOf(earlier), difference)
  if (lines === null) return null
  const part = text.slice(lines.from, lines.to + difference.after - difference.before)
  const fault = parseDocument(part, { source: earlier.source, syntax: 'yaml' }).problems.find(
    (it) => it.code === 'syntax',
  )
  if (fault === undefined) return null
  const above = countLines(text, lines.from)
  const down = ({ line, character }: Position): Position => ({ line: line + above, character })
  return { ...fault, range: { start: down(fault.range.start), end: down(fault.range.end) } }
}
