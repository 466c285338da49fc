import { makeAnchor, type Anchor } from '../../../src/anchors/anchor.ts'
import { parsePointer } from '../../../src/document/pointer.ts'
import type { Range } from '../../../src/document/position.ts'
import { onlyOne, type Desk } from '../desk.ts'

/** The anchor of the place that a pointer names, with its lines; null where there is no such place. */
export function run({ pointer }: { readonly pointer: string }, desk: Desk): { anchor: Anchor; range: Range } | null {
  const document = desk.engine.document(onlyOne(desk))
  const anchor = makeAnchor(document.value, pointer)
  return anchor === null ? null : { anchor, range: document.locate(parsePointer(anchor.pointer) ?? []) }
}
