import { eq } from 'drizzle-orm'
import type { ChangeCounts } from '../../db/tables/version-changes.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Change } from '../../src/diff/change.ts'
import { writtenChanges } from '../../src/diff/written.ts'
import type { Reader } from '../../db/database.ts'
import { versionChanges } from '../../db/tables.gen.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { currentOf } from './baseline.ts'

import { typedSubject } from '../used-types/door.ts'
import { findVersion, type FoundVersion, type VersionRow } from '../records/door.ts'

/** The change record that was written when a version was published; null for one that was not. */
export async function findChangeRecord(read: Reader, tenantId: string, versionId: string) {
  const [row] = await read
    .select()
    .from(versionChanges)
    .where(inTenant(versionChanges, tenantId, eq(versionChanges.versionId, versionId)))
  return row ?? null
}

/** How many changes of each kind there are. */
export function countChanges(changes: readonly Change[]): ChangeCounts {
  const of = (severity: Change['severity']) => changes.filter((one) => one.severity === severity).length
  return {
    breaking: of('breaking'),
    nonBreaking: of('non-breaking'),
    docsOnly: of('docs-only'),
    unknown: changes.filter((one) => one.classification === 'unknown').length,
  }
}

/** The counts as the contract names them. */
export const countsOf = ({ breaking, nonBreaking, docsOnly, unknown }: ChangeCounts) => ({
  breaking,
  non_breaking: nonBreaking,
  docs_only: docsOnly,
  unknown,
})

/** A version as one side of a comparison. */
export const sideOf = (row: VersionRow) => ({ version_id: row.id, label: row.label, digest: row.digest })

/**
 * What the changes of a version are listed against, and its change record.
 * @param named a version of the project that the caller names
 * @throws SvcError `version-not-found`
 */
export async function baseOf(read: Reader, { project, version }: FoundVersion, named: string | null) {
  const record = await findChangeRecord(read, version.tenantId, version.id)
  const ref = named ?? record?.baselineVersionId ?? null
  if (ref !== null) return { record, base: (await findVersion(read, version.tenantId, project.id, ref)).version }
  const base = record === null ? await currentOf(read, version.tenantId, project.id, version.label) : null
  return { record, base }
}

/**
 * A page of what a version changes: against the named base, else against the baseline of its change record, else, for a
 * draft, against what it would be compared with now.
 * @throws SvcError `project-not-found`, `version-not-found`
 */
export async function changesOf(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string; readonly base: string | null },
  page: { readonly limit: number; readonly offset: number },
) {
  const tenant = tenantOf(grant)
  const { read } = deps.db
  const found = await findVersion(read, tenant.id, refs.project, refs.version)
  const { version } = found
  const { record, base } = await baseOf(read, found, refs.base)
  const compare = async (older: VersionRow) =>
    deps.analysis.compare(await typedSubject(deps, read, older), await typedSubject(deps, read, version))
  const result = base === null ? null : await compare(base)
  const changes = result?.changes ?? []
  const items = writtenChanges(changes.slice(page.offset, page.offset + page.limit))
  return {
    base: base === null ? null : sideOf(base),
    head: sideOf(version),
    max_severity: result?.maxSeverity ?? null,
    counts: countsOf(countChanges(changes)),
    published:
      record === null
        ? null
        : {
            baseline_mode: record.baselineMode,
            baseline_version_id: record.baselineVersionId,
            max_severity: record.maxSeverity,
            counts: countsOf(record.counts),
            forced: record.isForced,
            published_at: record.createdAt,
          },
    items,
    total: changes.length,
    ...page,
  }
}
