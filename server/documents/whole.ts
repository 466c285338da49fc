import type { Subject, Whole } from '../analysis/door.ts'
import type { Deps } from '../kit/door.ts'
import { type TypeUse, usedTypes } from '../used-types/door.ts'
import type { VersionRow } from '../records/door.ts'

/** What of the types decides the bytes; "" where there are none. */
export const stampOf = ({ used }: TypeUse): string =>
  used.map(({ ref, primitiveId, revision }) => `${ref} ${primitiveId ?? ''} ${revision}`).join('\n')

/** A version as analysis processes render it: its document and those that joined it, with its types. */
export function wholeOf(
  { analysis }: Pick<Deps, 'analysis'>,
  version: VersionRow,
  types: TypeUse,
): { readonly whole: Whole; readonly subjects: readonly Subject[] } {
  const beside = version.joined ?? []
  return {
    whole: { kind: version.format.kind, joined: beside.map(({ kind }) => kind), types: usedTypes(types) },
    subjects: [analysis.subjectOf(version), ...beside.map((it) => analysis.joinedSubjectOf(version.tenantId, it))],
  }
}
