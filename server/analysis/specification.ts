import { Specification } from '../../src/contracts/specification.ts'
import type { Document } from '../../src/document/document.ts'

const known = new WeakMap<Document, Specification>()

/** A document as consumers look at it, read once for as long as the document is kept. */
export function specificationOf(document: Document): Specification {
  const it = known.get(document)
  if (it) return it
  const made = new Specification(document)
  known.set(document, made)
  return made
}
