import { findReferences } from '../../../src/document/references-in-document.ts'
import { usedRef } from '../../../src/types/bundle-types.ts'
import { onlyOne, type Desk } from '../desk.ts'

/** The references of a stored document to registered types, without fragments, each once. */
export function run(_: object, desk: Desk): readonly string[] {
  const { value, text } = desk.engine.trusted(onlyOne(desk))
  if (!text.includes('svc:')) return []
  return [...new Set(findReferences(value).flatMap(({ ref }) => usedRef(ref)?.ref ?? []))]
}
