import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { findVersion } from '../records/door.ts'
import type { VersionRefs } from '../threads/door.ts'
import { baseOf, sideOf } from '../versions/door.ts'

/**
 * The lines that a version changes against what its changes are listed against: where they are, and the text of the first of them.
 * @throws SvcError `project-not-found`, `version-not-found`, `analysis-stopped`
 */
export async function hunksOf(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
  asked: { readonly offset: number; readonly limit: number; readonly lines: number },
) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const found = await findVersion(read, tenantId, refs.project, refs.version)
  const { base } = await baseOf(read, found, null)
  const head = sideOf(found.version)
  if (base === null) return { base: null, head, total: 0, lines_total: 0, places: [], hunks: [] }
  const subjects = [deps.analysis.subjectOf(base), deps.analysis.subjectOf(found.version)]
  const { total, lines, places, hunks } = await deps.analysis.run(tenantId, 'hunks', asked, subjects)
  return {
    base: sideOf(base),
    head,
    total,
    lines_total: lines,
    places: [...places],
    hunks: hunks.map((it) => ({ before: [...it.before], old: [...it.old], now: [...it.now], after: [...it.after] })),
  }
}
