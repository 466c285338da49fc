/** Which places of a document its lines show: the inverse of finding the lines of a place. */
import type { Path } from '../kernel/json.ts'
import { nodeKind, type Outline } from './outline.ts'

/** Where a node begins with its key. */
export const beginOf = ({ keyStart, start }: Outline, id: number): number => {
  const key = keyStart[id] ?? -1
  return key >= 0 ? key : (start[id] ?? 0)
}

/**
 * The place of each of some lines that follow each other: the outermost node that begins there; where none does, the innermost
 * one that the line belongs to. Nodes behind an alias are at the place of their anchor.
 * @param bounds the offsets at which the lines begin, and that at which the last one ends
 */
export function placesOfLines(outline: Outline, bounds: readonly number[]): readonly Path[] {
  const lines = Math.max(0, bounds.length - 1)
  const [from = 0] = bounds
  const to = bounds.at(-1) ?? 0
  const places: Path[] = Array.from({ length: lines }, () => [])
  const found = new Uint8Array(lines)
  let line = 0
  const lineOf = (offset: number): number => {
    while (line + 1 < lines && (bounds[line + 1] ?? 0) <= offset) line++
    while (line > 0 && (bounds[line] ?? 0) > offset) line--
    return line
  }
  const visit = (id: number, path: Path): void => {
    const begin = beginOf(outline, id)
    const end = outline.end[id] ?? begin
    if (begin >= to || (end <= from && begin < from)) return
    const first = begin < from ? -1 : lineOf(begin)
    // Inner nodes come later and take the lines over, but for a line on which an outer one begins.
    const last = lineOf(Math.min(Math.max(end - 1, from), to - 1))
    for (let at = Math.max(0, first); at <= last; at++) if (found[at] === 0) places[at] = path
    if (first >= 0) found[first] = 1
    // Nothing in it can be the outermost of a line.
    if (first >= 0 && first === last) return
    if (outline.kind[id] === nodeKind.scalar || outline.kind[id] === nodeKind.alias) return
    const isList = outline.kind[id] === nodeKind.sequence
    let index = 0
    for (const child of outline.children(id)) {
      const step = isList ? index++ : outline.key(child)
      // What is merged in belongs to the object around it.
      visit(child, !isList && step === '<<' ? path : [...path, step])
    }
  }
  if (outline.count > 0 && lines > 0) visit(0, [])
  return places
}
