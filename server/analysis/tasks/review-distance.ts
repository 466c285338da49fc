import { distanceBetween, type Distance } from '../../../src/reviews/documentation.ts'
import type { Desk } from '../desk.ts'

/** Kinds of documents whose descriptions only people read: what an agent is offered is described to a model, which acts on it. */
const readByPeople: ReadonlySet<string> = new Set(['openapi', 'swagger', 'json-schema'])

/** Compares the document that was approved with the one that is there now. */
export function run(_: Readonly<Record<string, never>>, desk: Desk): Distance {
  const [before, after] = desk.materials.map((material) => desk.engine.document(material))
  if (before === undefined || after === undefined) throw new Error('a review is of two documents')
  const isKnown = [before, after].every(
    ({ format, problems }) =>
      readByPeople.has(format?.kind ?? '') && !problems.some(({ severity }) => severity === 'error'),
  )
  const distance = distanceBetween(before.value, after.value)
  return { ...distance, isDocumentationOnly: isKnown && distance.isDocumentationOnly }
}
