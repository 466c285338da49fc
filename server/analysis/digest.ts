import type { Document } from '../../src/document/document.ts'
import { digestText } from '../../src/document/serialize.ts'

const known = new WeakMap<Document, string>()

/** The digest of a document's text, taken once: hashing twelve megabytes takes longer than what is asked of them. */
export function digestOfDocument(document: Document): string {
  let digest = known.get(document)
  if (digest === undefined) known.set(document, (digest = digestText(document.text)))
  return digest
}
