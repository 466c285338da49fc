import { diff } from '../../../src/diff/diff.ts'
import type { DiffOptions } from '../../../src/diff/options.ts'
import { inTypes } from '../../../src/diff/places.ts'
import type { Document } from '../../../src/document/document.ts'
import { findReferences, resolveUri } from '../../../src/document/reference.ts'
import { joinDocuments } from '../../../src/import/bundle/document.ts'
import { withoutFragment } from '../../../src/types/outward.ts'
import { sliceOf } from '../../../src/types/slice.ts'
import { both, type Desk } from '../desk.ts'
import { type PackedResult, packResult } from '../packed-changes.ts'
import type { Material } from '../subject.ts'

/** The types whose text differs, and those that refer to one of them. */
function affectedOf(base: Material, head: Material, types: readonly Document[]): ReadonlySet<string> {
  const before = new Map(base.types?.list.map(({ ref, text }) => [ref, text]))
  const affected = new Set((head.types?.list ?? []).flatMap(({ ref, text }) => (before.get(ref) === text ? [] : [ref])))
  for (let more = true; more;) {
    more = false
    for (const { source, value } of types) {
      if (affected.has(source)) continue
      const refs = findReferences(value).map((it) => withoutFragment(resolveUri(it.base, it.ref)))
      if (!refs.some((ref) => affected.has(ref))) continue
      affected.add(source)
      more = true
    }
  }
  return affected
}

/** What changes in a document if some of the types that it refers to do: the same document twice, with different types. */
export function run(options: DiffOptions, desk: Desk): PackedResult {
  const [base, head] = both(desk)
  const document = desk.engine.untyped(base)
  const [before, after] = [desk.engine.typesOf(base), desk.engine.typesOf(head)]
  const value = sliceOf(document.value, affectedOf(base, head, after), document.text)
  const join = (types: readonly Document[]) => joinDocuments({ ...document, value }, types, (place) => place)
  const [older, newer] = [join(before), join(after)]
  return packResult(inTypes(diff(older, newer, options), older, newer))
}
