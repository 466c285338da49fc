import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { typedSubject } from '../used-types/door.ts'
import { findVersion } from '../records/door.ts'

type Writable<T> = T extends readonly (infer E)[]
  ? Writable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Writable<T[K]> }
    : T

// The engines give readonly values, the types of the API are not: nothing writes to either.
const writable = <T>(value: T): Writable<T> => value as Writable<T>

/**
 * A page of what a consumer of a version can declare: its operations with their parameters and fields.
 * @throws SvcError `project-not-found`, `version-not-found`
 */
export async function surfaceOf(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
  page: { readonly limit: number; readonly offset: number; readonly q: string },
) {
  const { analysis, db } = deps
  const { version } = await findVersion(db.read, tenantOf(grant).id, refs.project, refs.version)
  const surface = await analysis.run(version.tenantId, 'surface', page, [await typedSubject(deps, db.read, version)])
  const { limit, offset } = page
  return { version_record_id: version.id, version_label: version.label, ...writable(surface), limit, offset }
}
