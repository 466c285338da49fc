/** Parses YAML with memory in proportion to its text: the native parser takes a kilobyte for each collection in a list. */
import { isObject, type Json } from '../kernel/json.ts'
import { nodeKind, type Outline } from './outline.ts'
import { getPath } from '../kernel/pointer.ts'
import { pathsOf } from './non-string-keys.ts'
import { parseYaml } from '../host/engine.ts'

/** When a list is parsed in pieces. */
export interface Division {
  /** The characters of a text, and the nodes of a list in it, above which the list is divided. */
  readonly text: number
  readonly nodes: number
  /** The characters of a piece. */
  readonly piece: number
}

const usual: Division = { text: 1_000_000, nodes: 50_000, piece: 256 * 1024 }

const opensFlow = (text: string, at: number): boolean => {
  const c = text.charCodeAt(at)
  return c === 91 || c === 123
}

/** A list in brackets whose items are collections in brackets or braces, and the offsets at which it can be divided. */
interface LongList {
  readonly id: number
  readonly items: number
  /** Where pieces begin and end: the first item of each, and the end of its last. */
  readonly pieces: readonly (readonly [start: number, end: number])[]
}

/** Null where an item is something else, whose extent depends on what is around it. */
function divide(outline: Outline, id: number, piece: number): LongList | null {
  const { text, start, end } = outline
  const pieces: (readonly [number, number])[] = []
  let items = 0
  let begin = -1
  let last = (start[id] ?? 0) + 1
  for (const item of outline.children(id)) {
    const at = start[item] ?? 0
    if (!opensFlow(text, at)) return null
    items++
    // A tag or a comment between two items belongs to one of them.
    if (begin === -1 || (last - begin > piece && /^[\s,]*$/.test(text.slice(last, at)))) {
      if (begin !== -1) pieces.push([begin, last])
      else if (!/^\s*$/.test(text.slice(last, at))) return null
      begin = at
    }
    last = end[item] ?? at
  }
  if (begin !== -1) pieces.push([begin, last])
  return items < 2 ? null : { id, items, pieces }
}

/** The outermost long lists of a text, in its order. */
function longLists(outline: Outline, { nodes, piece }: Division): LongList[] {
  const found: LongList[] = []
  for (let id = 0; id < outline.count;) {
    const stop = outline.stop[id] ?? id + 1
    const isLong = outline.kind[id] === nodeKind.sequence && stop - id > nodes
    const list = isLong && outline.text.charCodeAt(outline.start[id] ?? 0) === 91 ? divide(outline, id, piece) : null
    if (list !== null) found.push(list)
    id = list === null ? id + 1 : stop
  }
  return found
}

/** Null where the pieces do not make what the outline says. */
function parsePieces(text: string, { items, pieces }: LongList): Json[] | null {
  const made: Json[] = []
  for (const [start, end] of pieces)
    for (const item of parseYaml(`[${text.slice(start, end)}]`) as Json[]) made.push(item)
  return made.length === items ? made : null
}

const parseDivided = (text: string, outline: Outline, division: Division): Json | undefined => {
  const lists = longLists(outline, division)
  const paths = pathsOf(outline, new Set(lists.map(({ id }) => id)))
  const mark = 'svc-long-list-'
  if (lists.length === 0 || text.includes(mark)) return undefined
  let rest = ''
  let at = 0
  for (const [index, { id }] of lists.entries()) {
    rest += `${text.slice(at, outline.start[id])}["${mark}${index}"]`
    at = outline.end[id] ?? at
  }
  let value = parseYaml(rest + text.slice(at)) as Json
  for (const [index, list] of lists.entries()) {
    const path = paths.get(list.id)
    const placeholder = path === undefined ? undefined : getPath(value, path)
    if (path === undefined || !Array.isArray(placeholder) || placeholder[0] !== `${mark}${index}`) return undefined
    const made = parsePieces(text, list)
    if (made === null) return undefined
    const holder = getPath(value, path.slice(0, -1))
    const key = path.at(-1)
    if (key === undefined) value = made
    else if (Array.isArray(holder) || isObject(holder)) (holder as Record<string | number, Json>)[key] = made
    else return undefined
  }
  return value
}

/**
 * The value of a YAML text.
 * @param outline of the same text; null where its aliases refer from one part to another
 * @throws what `parseYaml` throws
 */
export function parseYamlText(text: string, outline: Outline | null, division = usual): Json {
  if (outline !== null && text.length > division.text)
    try {
      const value = parseDivided(text, outline, division)
      if (value !== undefined) return value
    } catch {
      // The whole text says where the error is.
    }
  return parseYaml(text) as Json
}
