import type { Gate, VersionRecord } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { versions } from '../../db/tables.gen.ts'
import type { Analyst } from '../analysis/analyst.ts'
import type { Analysis } from '../analysis/analyse.ts'
import type { Grant, GrantedTenant } from '../auth/grant.ts'
import { tenantOf } from '../auth/actor.ts'
import { isoNow, type Deps } from '../deps.ts'
import { recordAudit } from '../auth/audit.ts'
import type { Principal } from '../auth/principal.ts'
import { evaluateGates, stoppingGates } from './gates.ts'
import { latestPublished } from './latest.ts'
import { toVersionRecord } from './record.ts'
import { findVersion, markPublished, type FoundVersion } from './service.ts'

/** What the gates need to know about a version, published or about to be. */
export interface Candidate {
  readonly projectId: string | null
  readonly projectSlug: string
  readonly label: string
  readonly slug: string
  readonly analysis: Analysis
}

/** Evaluates all publish gates of a candidate against what is published in its project. */
export async function gatesOf(
  deps: Deps,
  analyst: Analyst,
  read: Reader,
  tenant: GrantedTenant,
  candidate: Candidate,
): Promise<Gate[]> {
  const { analysis, projectId } = candidate
  const siblings =
    projectId === null
      ? []
      : await read
          .select()
          .from(versions)
          .where(inTenant(versions, tenant.id, eq(versions.projectId, projectId)))
  const base = latestPublished(siblings.filter((row) => row.label !== candidate.label))
  const changes =
    base === null ? [] : analyst.compare((await analyst.ofVersion(read, base)).document, analysis.document).changes
  return evaluateGates({
    label: candidate.label,
    invalid: analysis.invalid,
    unresolvedRefs: analysis.unresolvedRefs,
    grade: analysis.grade.grade,
    counts: analysis.grade.counts,
    lintUrl: `${deps.publicUrl}/v1/lint/${tenant.slug}/catalog/${candidate.projectSlug}/${candidate.slug}`,
    published:
      base === null
        ? null
        : { label: base.label, changes, diffUrl: `${deps.publicUrl}/v1/diff/${tenant.slug}/classified` },
  })
}

async function gatesOfVersion(
  deps: Deps,
  analyst: Analyst,
  read: Reader,
  tenant: GrantedTenant,
  { project, version }: FoundVersion,
): Promise<Gate[]> {
  const analysis = await analyst.ofVersion(read, version)
  const { label, slug } = version
  return gatesOf(deps, analyst, read, tenant, {
    projectId: project.id,
    projectSlug: project.slug,
    label,
    slug,
    analysis,
  })
}

/** All gates of a version, without publishing it. Raises `project-not-found`, `version-not-found`. */
export async function publishReadiness(
  deps: Deps,
  analyst: Analyst,
  tenant: GrantedTenant,
  projectRef: string,
  versionRef: string,
): Promise<{ ready: boolean; gates: Gate[] }> {
  const found = await findVersion(deps.db.read, tenant.id, projectRef, versionRef)
  const gates = await gatesOfVersion(deps, analyst, deps.db.read, tenant, found)
  return { ready: stoppingGates(gates, false).length === 0, gates }
}

export interface PublishRequest {
  readonly visibility?: 'public' | 'private'
  readonly force?: boolean
  readonly force_reason?: string
  readonly expected_digest?: string
}

/** Raises `permission-denied` or `force-needs-reason` where force is asked for without either. */
export function assertForce(grant: Pick<Grant, 'permissions'>, request: PublishRequest): void {
  if (request.force !== true) return
  if (!grant.permissions.has('versions:publish_force'))
    throw new SvcError('permission-denied', { permission: 'versions:publish_force' })
  if (request.force_reason === undefined) throw new SvcError('force-needs-reason')
}

/** Stops at the first gates that fail. Raises `publish-gates-failed` with all of them. */
export function assertGates(gates: readonly Gate[], force: boolean): void {
  if (stoppingGates(gates, force).length > 0) throw new SvcError('publish-gates-failed', { gates })
}

/** Publishes within a transaction and writes the audit event. Raises `version-transition`. */
export async function publishFound(
  deps: Deps,
  tx: Transaction,
  tenant: GrantedTenant,
  found: FoundVersion,
  request: PublishRequest,
  by: { readonly actor: Principal | null; readonly at: string },
) {
  const version = await markPublished(deps, tx, tenant, found, request.visibility ?? found.version.visibility, by.at)
  await recordAudit(tx, {
    tenantId: tenant.id,
    actor: by.actor,
    action: request.force === true ? 'version.published-by-force' : 'version.published',
    targetId: version.id,
    detail: { label: version.label, visibility: version.visibility, reason: request.force_reason ?? null },
    now: Date.parse(by.at),
  })
  return version
}

/**
 * Publishes a draft after all its gates. Raises `project-not-found`, `version-not-found`, `version-transition`,
 * `document-changed`, `force-needs-reason`, `permission-denied`, `publish-gates-failed`.
 */
export async function publishVersion(
  deps: Deps,
  analyst: Analyst,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
  request: PublishRequest,
): Promise<{ version: VersionRecord; gates: Gate[] }> {
  const tenant = tenantOf(grant)
  assertForce(grant, request)
  const before = await findVersion(deps.db.read, tenant.id, refs.project, refs.version)
  // The gates run before the transaction: they may take long, and what they looked at is pinned by its digest.
  const gates = await gatesOfVersion(deps, analyst, deps.db.read, tenant, before)
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`project ${before.project.id}`)
    const found = await findVersion(tx, tenant.id, before.project.id, before.version.id)
    const { digest, status, label } = found.version
    const expected = request.expected_digest ?? before.version.digest
    if (digest !== expected) throw new SvcError('document-changed', { expected, actual: digest })
    if (status !== 'draft') throw new SvcError('version-transition', { version: label, from: status, to: 'published' })
    assertGates(gates, request.force === true)
    const by = { actor: grant.principal, at: isoNow(deps) }
    const version = await publishFound(deps, tx, tenant, found, request, by)
    return { version: toVersionRecord(version, found.project.slug, tenant.slug, deps.publicUrl), gates }
  })
}
