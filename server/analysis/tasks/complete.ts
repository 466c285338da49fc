import { offsetIn } from '../../../src/document/edit-text.ts'
import { Lines } from '../../../src/document/lines.ts'
import type { Position } from '../../../src/document/position.ts'
import { complete, type Proposal } from '../../../src/language/completion.ts'
import { onlyOne, type Desk } from '../desk.ts'

const mostProposals = 200

/** What can be written at a position of a document, which need not be readable. */
export function run({ position }: { readonly position: Position }, desk: Desk) {
  const { text, syntax } = desk.engine.document(onlyOne(desk))
  const around = { syntax, isRuleset: false, others: {} }
  const found = complete(text, offsetIn(text, position), around)
  const lines = new Lines(text)
  const proposals: readonly Proposal[] = found?.proposals.slice(0, mostProposals) ?? []
  return {
    start: found === null ? position : lines.position(found.start),
    end: found === null ? position : lines.position(found.end),
    proposals: [...proposals],
  }
}
