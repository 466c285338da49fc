/** The position of the node at a path, as offsets in the text. */
import type { Path } from '../kernel/json.ts'
import { nodeKind, type Outline } from './outline.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** From the first to the last character of the nearest node that exists, or of its key. */
export function placeOf(outline: Outline, path: Path, key: boolean): Span {
  if (outline.count === 0) return { start: 0, end: 0 }
  const { id } = outline.find(path)
  const keyStart = outline.keyStart[id] ?? -1
  if (key && keyStart >= 0) return { start: keyStart, end: outline.keyEnd[id] ?? keyStart }
  return { start: outline.start[id] ?? 0, end: outline.end[id] ?? 0 }
}

/**
 * The place that Spectral names for a path: a map or list begins behind the colon of its key and ends with its last leaf,
 * an aliased value is at the place of the alias, and an absent value at the end of its entry.
 */
export function placeAsSpectral(outline: Outline, path: Path): Span {
  if (outline.count === 0) return { start: 0, end: 0 }
  const { id } = outline.find(path, true)
  const { start, end, keyEnd, kind, text } = outline
  // Nodes are numbered in the order of the text: the last of a subtree is its last leaf.
  const last = (outline.stop[id] ?? 1) - 1
  const from = start[id] ?? 0
  const to = spectralEnd(text, start[last] ?? 0, end[last] ?? 0)
  if ((outline.keyStart[id] ?? -1) >= 0) {
    if (kind[id] !== nodeKind.scalar) return { start: (keyEnd[id] ?? 0) + 1, end: to }
    return { start: from, end: to }
  }
  const isRoot = id === 0
  // An empty root is all of the text.
  if (isRoot && last === id && kind[id] !== nodeKind.scalar) return { start: 0, end: text.length }
  return { start: isRoot && from === text.indexOf('\n') + 1 ? 0 : from, end: to }
}

// A text of several lines ends before the line break ahead of what follows: the empty lines below it belong to it.
function spectralEnd(text: string, start: number, end: number): number {
  if (text[start] !== '>' && text[start] !== '|') return end
  const blank = /(?:[ \t]*\r?\n)*/y
  blank.lastIndex = end
  blank.test(text)
  const after = Math.max(end, blank.lastIndex)
  return text[after - 1] === '\n' ? after - 1 : after
}
