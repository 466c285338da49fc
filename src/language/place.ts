/** What is at a position of a text: the inverse of finding the position of a path. */
import type { Document } from '../document/document.ts'
import type { Path } from '../kernel/json.ts'
import { nodeKind, type Outline } from '../document/outline.ts'
import { outlineOf } from '../document/parse.ts'
import { beginOf } from '../document/line-places.ts'

/** The innermost node around an offset. */
export interface NodeAtOffset {
  readonly path: Path
  /** Whether the offset is in the key of the node; otherwise it is in its value. */
  readonly isKey: boolean
}

/** The innermost node whose key or value is around an offset, its end included. */
export const placeAt = (document: Document, offset: number): NodeAtOffset => placeIn(outlineOf(document), offset)

/** The same in the positions of a text. */
export function placeIn(outline: Outline, offset: number): NodeAtOffset {
  const path: (string | number)[] = []
  let id = 0
  for (;;) {
    if (outline.count === 0 || outline.kind[id] === nodeKind.scalar || outline.kind[id] === nodeKind.alias)
      return { path, isKey: false }
    const isList = outline.kind[id] === nodeKind.sequence
    let index = 0
    let found = -1
    for (const child of outline.children(id)) {
      if (beginOf(outline, child) > offset) break
      if ((outline.end[child] ?? 0) >= offset) {
        found = child
        path.push(isList ? index : outline.key(child))
        break
      }
      index++
    }
    if (found === -1) return { path, isKey: false }
    id = found
    const keyStart = outline.keyStart[id] ?? -1
    if (keyStart >= 0 && offset <= (outline.keyEnd[id] ?? -1)) return { path, isKey: true }
  }
}
