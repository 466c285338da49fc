import { reanchor, type AnchorPosition, type Sought } from '../../../src/anchors/reanchor.ts'
import type { Range } from '../../../src/document/position.ts'
import { both, type Desk } from '../desk.ts'
import { rangeOf } from './anchor.ts'

/** Where anchors of one document are in another, with the lines. */
export function run(
  { sought }: { readonly sought: readonly Sought[] },
  desk: Desk,
): (AnchorPosition & { range: Range })[] {
  const [base, head] = both(desk)
  const document = desk.engine.document(head)
  return reanchor(desk.engine.document(base).value, document.value, sought).map((it) => ({
    ...it,
    range: rangeOf(document, it.pointer),
  }))
}
