import { parseDocument } from '../../../src/document/parse.ts'
import { refusalOf } from '../../../src/merge/broken-by.ts'
import { carryPatch } from '../../../src/patch/carry.ts'
import { PatchRefused, type JsonPatch } from '../../../src/patch/json-patch.ts'
import { hunkOf, patchText } from '../../../src/patch/patch-text.ts'
import { both, type Desk } from '../desk.ts'

/** What a suggestion makes of a document, or why it cannot be applied; `breaks`: what would be wrong with the document afterwards. */
export type Suggested =
  | { readonly text: string; readonly diff: string }
  | { readonly reason: string }
  | { readonly breaks: string }

/** Applies a patch that was made for the first document to the second, which may be the same one. */
export function run({ patch }: { readonly patch: JsonPatch }, desk: Desk): Suggested {
  const [base, head] = both(desk)
  const document = desk.engine.document(head)
  try {
    const carried =
      base.text === head.text ? patch : carryPatch(desk.engine.document(base).value, document.value, patch)
    const text = patchText(document, carried)
    const { source, syntax } = document
    const breaks = refusalOf(parseDocument(text, { source, syntax }), document)
    return breaks === null ? { text, diff: hunkOf(document.text, text) } : { breaks }
  } catch (error) {
    if (error instanceof PatchRefused) return { reason: `operation ${error.at + 1}: ${error.message}` }
    throw error
  }
}
