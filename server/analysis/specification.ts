import { Specification } from '../../src/contracts/specification.ts'
import type { Document } from '../../src/document/document.ts'
import type { Desk } from './desk.ts'

const known = new WeakMap<Document, Specification>()

/** A document as consumers look at it, read once for as long as the document is kept. */
export function specificationOf(document: Document): Specification {
  const it = known.get(document)
  if (it) return it
  const made = new Specification(document)
  known.set(document, made)
  return made
}

/** Of the documents of a task: the first, and those behind it. */
export function specificationsOf({ materials, engine }: Desk): {
  readonly now: Specification
  readonly earlier: readonly Specification[]
} {
  const [now, ...earlier] = materials.map((it) => specificationOf(engine.document(it)))
  if (now === undefined) throw new Error('the task is about nothing')
  return { now, earlier }
}
