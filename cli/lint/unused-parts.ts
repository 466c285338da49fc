/** The definitions of a document that nothing in it uses. */
import type { Document } from '../../src/document/document.ts'
import { findUnused } from '../../src/stats/unused.ts'

const known = new WeakMap<Document, ReadonlySet<string>>()

/** Whether a JSON Pointer leads into a definition that the other parts of the document do not reach by references, or to it. */
export function isUnused(document: Document, pointer: string): boolean {
  let unused = known.get(document)
  if (unused === undefined) known.set(document, (unused = findUnused(document.value)))
  const steps = pointer.split('/')
  return [3, 4].some((length) => unused.has(steps.slice(0, length).join('/')))
}
