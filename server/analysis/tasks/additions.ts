import { additionsTo, type Addition } from '../../../src/gateway/coverage/additions.ts'
import { PatchRefused } from '../../../src/patch/json-patch.ts'
import { patchText } from '../../../src/patch/patch-text.ts'
import { onlyOne, type Desk } from '../desk.ts'

/** The text of a document with operations that it lacked, or why they cannot be added. */
export type Added = { readonly text: string; readonly added: readonly string[] } | { readonly reason: string }

/** Adds operations to a document; everything else stays as its author wrote it. */
export function run({ additions }: { readonly additions: readonly Addition[] }, desk: Desk): Added {
  const document = desk.engine.document(onlyOne(desk))
  const { patch, added } = additionsTo(document.value, additions)
  try {
    return { text: patchText(document, patch), added }
  } catch (error) {
    if (error instanceof PatchRefused) return { reason: error.message }
    throw error
  }
}
