import { makeAnchor, type Anchor } from '../../../src/anchors/anchor.ts'
import type { Document } from '../../../src/document/document.ts'
import { parsePointer } from '../../../src/kernel/pointer.ts'
import type { Range } from '../../../src/document/position.ts'
import { onlyOne, type Desk } from '../desk.ts'

/** The lines of a place, from its key to the end of its value: the key is where a reader looks for it. */
export function rangeOf(document: Document, pointer: string): Range {
  const path = parsePointer(pointer) ?? []
  return { start: document.locate(path, { key: true }).start, end: document.locate(path).end }
}

/** The anchor of the place that a pointer names, with its lines; null where there is no such place. */
export function run({ pointer }: { readonly pointer: string }, desk: Desk): { anchor: Anchor; range: Range } | null {
  const document = desk.engine.document(onlyOne(desk))
  const anchor = makeAnchor(document.value, pointer)
  return anchor === null ? null : { anchor, range: rangeOf(document, anchor.pointer) }
}
