import { and, eq } from 'drizzle-orm'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../../db/conditions.ts'
import { threads } from '../../db/tables.gen.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { findVersion, type VersionRow } from '../records/door.ts'
import type { ThreadRow } from './record.ts'
import type { VersionRefs } from './store.ts'

/**
 * Finds the places of threads in the document that the version has now, and keeps them. This happens when threads are read, so
 * that no edit waits for it; several edits in between are one step.
 * @throws SvcError `analysis-stopped`
 */
export async function placeThreads(deps: Deps, version: VersionRow, rows: readonly ThreadRow[]): Promise<ThreadRow[]> {
  const { tenantId, digest } = version
  const stale = Map.groupBy(
    rows.filter((it) => it.placeDigest !== digest),
    (it) => it.placeDigest,
  )
  const placed = new Map<string, ThreadRow>()
  for (const [from, group] of stale) {
    const base = deps.analysis.textOf(tenantId, from, version.provenance.source)
    const sought = group.map(({ key, nodeDigest, state, placeKey }) => ({
      key,
      nodeDigest,
      lastKey: state === 'outdated' ? null : placeKey,
    }))
    const places = await deps.analysis.run(tenantId, 'reanchor', { sought }, [base, deps.analysis.subjectOf(version)])
    for (const [at, row] of group.entries()) {
      const place = places[at]
      if (place === undefined) continue
      const { state, key: placeKey, pointer: placePointer, range: placeRange } = place
      placed.set(row.id, { ...row, state, placeKey, placePointer, placeRange, placeDigest: digest })
    }
  }
  if (placed.size > 0 && deps.db.readOnly === null) await keep(deps, [...placed.values()], rows)
  return rows.map((it) => placed.get(it.id) ?? it)
}

async function keep(deps: Deps, placed: readonly ThreadRow[], before: readonly ThreadRow[]): Promise<void> {
  const seen = new Map(before.map((it) => [it.id, it.placeDigest]))
  await deps.db.inTransaction(async (tx) => {
    for (const { id, tenantId, state, placeKey, placePointer, placeRange, placeDigest } of placed)
      await tx
        .update(threads)
        .set({ state, placeKey, placePointer, placeRange, placeDigest })
        // Someone else may have found it in a newer document meanwhile.
        .where(and(inTenant(threads, tenantId, eq(threads.id, id)), eq(threads.placeDigest, seen.get(id) ?? '')))
  })
}

/**
 * What is at a place of the document of a version.
 * @throws SvcError `project-not-found`, `version-not-found`, `anchor-invalid`, `analysis-stopped`
 */
export async function placeOf(deps: Deps, grant: Grant, refs: VersionRefs, pointer: string) {
  const { version } = await findVersion(deps.db.read, tenantOf(grant).id, refs.project, refs.version)
  const found = await deps.analysis.run(version.tenantId, 'place', { pointer }, [deps.analysis.subjectOf(version)])
  if (found === null) throw new SvcError('anchor-invalid', { pointer, version: version.label })
  const { isLong, isNamed, ...place } = found
  return { ...place, is_long: isLong, is_named: isNamed }
}
