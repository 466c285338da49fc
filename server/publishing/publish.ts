import type { Gate, VersionRecord } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import type { Transaction } from '../../db/database.ts'
import { type Grant, type GrantedTenant, type Principal, tenantOf } from '../auth/door.ts'
import { pinTypes } from '../used-types/door.ts'
import { queueEmbedding } from '../embeddings/door.ts'
import type { Deps } from '../kit/door.ts'
import { reviewStamp } from '../reviews/door.ts'
import { assessVersion, type Assessment } from './assess.ts'
import { type BaselineRequest, currentOf, gradeColumns, markPublished, transitionError } from '../versions/door.ts'
import { isReady, stoppingGates } from './gates.ts'
import { recordPublication } from './publication.ts'
import { findVersion, type FoundVersion, toVersionRecord, type VersionRow } from '../records/door.ts'
import { writeRuleCounts } from '../search-index/door.ts'

/**
 * All gates of a version, without publishing it.
 * @throws SvcError `project-not-found`, `version-not-found`
 */
export async function publishReadiness(
  deps: Deps,
  grant: Grant,
  projectRef: string,
  versionRef: string,
): Promise<{ ready: boolean; gates: Gate[] }> {
  const tenant = tenantOf(grant)
  const found = await findVersion(deps.db.read, tenant.id, projectRef, versionRef)
  const { gates } = await assessVersion(deps, deps.db.read, tenant, found)
  return { ready: isReady(found.version.status, gates), gates: [...gates] }
}

export interface PublishRequest extends BaselineRequest {
  readonly visibility?: 'public' | 'private'
  readonly force?: boolean
  readonly force_reason?: string
  readonly expected_digest?: string
}

/** @throws SvcError `permission-denied` or `force-needs-reason` where force is asked for without either */
export function assertForce(grant: Pick<Grant, 'permissions'>, request: PublishRequest): void {
  if (request.force !== true) return
  if (!grant.permissions.has('versions:publish_force'))
    throw new SvcError('permission-denied', { permission: 'versions:publish_force' })
  if (request.force_reason === undefined || request.force_reason.trim() === '') throw new SvcError('force-needs-reason')
}

/**
 * Stops at the first gates that fail.
 * @throws SvcError `publish-gates-failed` with all of them
 */
export function assertGates(gates: readonly Gate[], force: boolean): void {
  if (stoppingGates(gates, force).length > 0) throw new SvcError('publish-gates-failed', { gates })
}

/**
 * Publishes within a transaction, with the change record, the event and the audit trail.
 * @throws SvcError `version-transition`
 */
export async function publishFound(
  deps: Deps,
  tx: Transaction,
  tenant: GrantedTenant,
  found: FoundVersion,
  request: PublishRequest,
  by: { readonly actor: Principal | null; readonly at: string; readonly assessment: Assessment },
): Promise<VersionRow> {
  // Types that it refers to may have changed since it was written.
  const set = { visibility: request.visibility ?? found.version.visibility, ...gradeColumns(by.assessment.grade) }
  const version = await markPublished(deps, tx, tenant, found, set, by.at)
  await writeRuleCounts(tx, version, by.assessment.rules)
  await pinTypes(tx, version, by.assessment.types)
  const forcedFor = request.force === true ? (request.force_reason ?? '') : null
  const { actor, at, assessment } = by
  await recordPublication(deps, tx, { tenant, project: found.project, version, assessment, forcedFor, actor, at })
  if (deps.embedder) {
    await queueEmbedding(tx, version, deps.embedder.model, deps.clock.now())
    tx.afterCommit(() => deps.wake())
  }
  return version
}

/** How often the gates are evaluated outside of the transaction while others publish in between. */
const mostAttempts = 5

/**
 * Publishes a draft after all its gates.
 * @throws SvcError `project-not-found`, `version-not-found`, `version-transition`, `document-changed`,
 *   `force-needs-reason`, `permission-denied`, `baseline-invalid`, `publish-gates-failed`
 */
export async function publishVersion(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
  request: PublishRequest,
): Promise<{ version: VersionRecord; gates: Gate[] }> {
  const { id: tenantId } = tenantOf(grant)
  assertForce(grant, request)
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const before = await findVersion(deps.db.read, tenantId, refs.project, refs.version)
    assertPublishable(before, request)
    // The gates run before the transaction: they may take long, and what they looked at is pinned by its digest.
    const assessment = await assessVersion(deps, deps.db.read, tenantOf(grant), before, request)
    const published = await publishUnder(deps, grant, before, request, assessment)
    if (published !== null) return { version: published, gates: [...assessment.gates] }
  }
  return publishLocked(deps, grant, refs, request)
}

/** Publishes with what was assessed before; null where another version was published or a review
 * changed meanwhile, so that it does not hold. */
function publishUnder(
  deps: Deps,
  grant: Grant,
  before: FoundVersion,
  request: PublishRequest,
  assessment: Assessment,
): Promise<VersionRecord | null> {
  const tenant = tenantOf(grant)
  return deps.db.inTransaction(async (tx) => {
    await lockProject(tx, before.project.id)
    const found = await findVersion(tx, tenant.id, before.project.id, before.version.id)
    assertPublishable(found, { expected_digest: request.expected_digest ?? before.version.digest })
    const current = await currentOf(tx, tenant.id, found.project.id, found.version.label)
    if ((current?.id ?? null) !== (assessment.current?.version.id ?? null)) return null
    if ((await reviewStamp(tx, found.version)) !== assessment.stamp) return null
    return writePublication(deps, tx, grant, found, request, assessment)
  })
}

/** Publishes with gates that are evaluated within the transaction: no one can publish in between, but others wait. */
async function publishLocked(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
  request: PublishRequest,
): Promise<{ version: VersionRecord; gates: Gate[] }> {
  const tenant = tenantOf(grant)
  const { project } = await findVersion(deps.db.read, tenant.id, refs.project, refs.version)
  return deps.db.inTransaction(async (tx) => {
    await lockProject(tx, project.id)
    const found = await findVersion(tx, tenant.id, project.id, refs.version)
    assertPublishable(found, request)
    const assessment = await assessVersion(deps, tx, tenant, found, request)
    const version = await writePublication(deps, tx, grant, found, request, assessment)
    return { version, gates: [...assessment.gates] }
  })
}

/** Holds back every other publication of a project until the transaction ends. */
export const lockProject = (tx: Transaction, projectId: string): Promise<void> => tx.lock(`project ${projectId}`)

async function writePublication(
  deps: Deps,
  tx: Transaction,
  grant: Grant,
  found: FoundVersion,
  request: PublishRequest,
  assessment: Assessment,
): Promise<VersionRecord> {
  const tenant = tenantOf(grant)
  assertGates(assessment.gates, request.force === true)
  const by = { actor: grant.principal, at: deps.clock.iso(), assessment }
  const version = await publishFound(deps, tx, tenant, found, request, by)
  return toVersionRecord(version, found.project.slug, tenant.slug, deps.publicUrl())
}

/** @throws SvcError `document-changed`, `version-transition` */
function assertPublishable({ version }: FoundVersion, request: Pick<PublishRequest, 'expected_digest'>): void {
  const { digest } = version
  if (request.expected_digest !== undefined && digest !== request.expected_digest)
    throw new SvcError('document-changed', { expected: request.expected_digest, actual: digest })
  if (version.status !== 'draft') throw transitionError(version, 'published')
}
