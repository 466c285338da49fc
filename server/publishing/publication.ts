import { eq, inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { consumers, versionChanges } from '../../db/tables.gen.ts'
import { type GrantedTenant, type Principal, recordAudit } from '../auth/door.ts'
import { countChanges } from '../versions/door.ts'
import type { Deps } from '../kit/door.ts'
import { recordEvent } from '../outbox/door.ts'
import { writeReport } from '../change-reports/door.ts'
import type { Assessment } from './assess.ts'
import type { FoundVersion } from '../records/door.ts'

/** A version that was just published, within the transaction that publishes it. */
export interface Publication {
  readonly tenant: GrantedTenant
  readonly project: FoundVersion['project']
  /** The row as it is now. */
  readonly version: FoundVersion['version']
  readonly assessment: Assessment
  /** Null: published without force. */
  readonly forcedFor: string | null
  readonly actor: Principal | null
  readonly at: string
}

/**
 * Writes what belongs to a publication beside the version itself: the change record, the change report, the event for those outside, the
 * audit trail. All of it is in the transaction that publishes, so that there is never one without the others.
 */
export async function recordPublication(
  deps: Pick<Deps, 'wakeReaders'>,
  tx: Transaction,
  publication: Publication,
): Promise<void> {
  const { tenant, project, version, assessment, actor, at, forcedFor } = publication
  const { baseline, baselineMode } = assessment
  const counts = countChanges(baseline?.result.changes ?? [])
  const maxSeverity = baseline?.result.maxSeverity ?? null
  const by = actor === null ? null : actor.kind === 'user' ? `user:${actor.userId}` : `${actor.kind}:${actor.keyId}`
  await tx.insert(versionChanges).values({
    id: newId(),
    tenantId: tenant.id,
    projectId: project.id,
    versionId: version.id,
    baselineVersionId: baseline?.version.id ?? null,
    baselineMode,
    baselineDigest: baseline?.version.digest ?? null,
    digest: version.digest,
    maxSeverity,
    counts,
    isForced: forcedFor !== null,
    createdBy: by,
    createdAt: at,
  })
  await recordEvent(deps, tx, {
    tenantId: tenant.id,
    type: 'version.published',
    subjectId: version.id,
    payload: {
      project_id: project.id,
      project_slug: project.slug,
      version_id: version.id,
      label: version.label,
      visibility: version.visibility,
      digest: version.digest,
      baseline_version_id: baseline?.version.id ?? null,
      baseline_label: baseline?.version.label ?? null,
      max_severity: maxSeverity,
      counts,
      forced: forcedFor !== null,
      published_by: by,
      published_at: at,
    },
    at,
  })
  await recordBroken(deps, tx, publication)
  await writeReport(tx, { tenantId: tenant.id, project, version, baseline, impact: assessment.impact, at })
  await recordAudit(tx, {
    tenantId: tenant.id,
    actor,
    action: forcedFor === null ? 'version.published' : 'version.published-by-force',
    targetId: version.id,
    detail: { label: version.label, visibility: version.visibility, reason: forcedFor },
    at,
  })
}

/** One event for each consumer whose contract the version breaks. What is undecided breaks nothing. */
async function recordBroken(
  deps: Pick<Deps, 'wakeReaders'>,
  tx: Transaction,
  { tenant, project, version, assessment, at }: Publication,
): Promise<void> {
  const broken = (assessment.impact?.consumers ?? []).filter(({ status }) => status === 'broken')
  if (broken.length === 0) return
  const handles = inArray(
    consumers.handle,
    broken.map(({ handle }) => handle),
  )
  const rows = await tx
    .select({ id: consumers.id, handle: consumers.handle })
    .from(consumers)
    .where(inTenant(consumers, tenant.id, eq(consumers.projectId, project.id), handles))
  const ids = new Map(rows.map(({ id, handle }) => [handle, id]))
  for (const { handle, revision, losses, changes } of broken) {
    const consumerId = ids.get(handle)
    if (consumerId === undefined) continue
    await recordEvent(deps, tx, {
      tenantId: tenant.id,
      type: 'contract.broken',
      subjectId: consumerId,
      payload: {
        project_id: project.id,
        project_slug: project.slug,
        version_id: version.id,
        label: version.label,
        consumer_id: consumerId,
        consumer_handle: handle,
        revision,
        missing: losses.length,
        changes: changes.length,
      },
      at,
    })
  }
}
