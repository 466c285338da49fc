/** How the gateways of an environment get the files of an older release again. */
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { gatewayReleaseTargets } from '../../db/tables.gen.ts'
import type { ReleaseDocuments } from '../../src/api/gateway-releases.ts'
import { differencesOf, risksOf } from '../../src/gateway-policy/door.ts'
import { dialectOfKind } from '../../src/gateway/engines/index.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import {
  appendAudit,
  approvalError,
  type EnvironmentRow,
  findEnvironment,
  lockEnvironment,
  readPolicy,
  strongestMode,
  takeApproval,
  type Asking,
  type RiskyChange,
} from '../gateway-policy/door.ts'
import { lockRelease, storeRelease } from './store-release.ts'
import { inputsOf, readReleaseState, readTargets, type ReleaseRow, type TargetFacts } from './release-rows.ts'
import { documentsText, riskOfDocuments } from './release-documents.ts'
import { besideOf, compareReleases, findRelease, releaseRecord, type Beside } from './releases.ts'

/** Stops a rollback that would change nothing, or leave gateways without files. @throws SvcError `release-unusable` */
function assertUsable(row: ReleaseRow, targets: readonly TargetFacts[], { releaseState, enforcers }: Beside): void {
  if (releaseState?.latestReleaseId === row.id)
    throw new SvcError('release-unusable', { number: row.number, reason: 'it is the newest release' })
  if (releaseState?.staged?.releaseId === row.id)
    throw new SvcError('release-unusable', { number: row.number, reason: 'it was not taken yet' })
  const engines = new Set(targets.map(({ engine }) => engine))
  const lacking = enforcers.find(({ kind }) => !engines.has(dialectOfKind(kind).name))
  if (lacking !== undefined) {
    const reason = `it has no files for ${dialectOfKind(lacking.kind).name}, which the gateway "${lacking.label}" reads`
    throw new SvcError('release-unusable', { number: row.number, reason })
  }
}

/** Why a rollback needs another person: what the older policy does less than the present one. */
async function risksOfRollback(
  read: Reader,
  environment: EnvironmentRow,
  row: ReleaseRow,
  documents: ReleaseDocuments | null,
  now: string,
): Promise<readonly string[]> {
  if (!environment.approvalsRequired) return []
  const { policy: present } = await readPolicy(read, environment, environment.policyVersion)
  const { policy: older } = await readPolicy(read, environment, row.policyVersion)
  const ofDocuments = documents === null ? null : riskOfDocuments(documents)
  const isCompared = present.positive !== null && strongestMode(present.positive) === 'block'
  return [...risksOf(differencesOf(present, older, now)), ...(ofDocuments !== null && isCompared ? [ofDocuments] : [])]
}

/** What differs from the newest release; it is compared before the transaction, which holds others up. */
async function comparedWithNewest(deps: Deps, environment: EnvironmentRow, id: string) {
  const releaseState = await readReleaseState(deps.db.read, environment)
  const newest = releaseState?.latestReleaseId ?? null
  if (newest === null || newest === id) return { newest, differences: [], documents: null }
  const { files, documents } = await compareReleases(deps, environment, newest, id)
  const differences = files.map(({ engine, path, change, added, removed }) => ({
    engine,
    path,
    change,
    added,
    removed,
  }))
  return { newest, differences, documents }
}

interface Asked extends Asking {
  readonly reason?: string | undefined
}

/** Stores the rollback. @returns null where there is another newest release than the one that was compared */
async function store(
  deps: Deps,
  grant: Grant,
  environmentId: string,
  row: ReleaseRow,
  { reason, newest, differences, documents, ...asking }: Asked & Awaited<ReturnType<typeof comparedWithNewest>>,
) {
  const actor = actorOf(grant) ?? 'system'
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const locked = await lockEnvironment(tx, tenantOf(grant).id, environmentId)
    await lockRelease(tx, locked.id)
    const { tenantId } = locked
    const beside = await besideOf(tx, locked)
    if ((beside.releaseState?.latestReleaseId ?? null) !== newest) return null
    const targets = await tx
      .select()
      .from(gatewayReleaseTargets)
      .where(inTenant(gatewayReleaseTargets, tenantId, eq(gatewayReleaseTargets.releaseId, row.id)))
    assertUsable(row, targets, beside)
    const risks = await risksOfRollback(tx, locked, row, documents, at)
    if (risks.length > 0) {
      const summary = [`The gateways get the files of release ${row.number} again, until the policy changes.`]
      const body = reason === undefined ? {} : { reason }
      const operation = 'POST /security/releases/rollback'
      const change: RiskyChange = { operation, target: row.id, body, summary, risks, preview: null }
      const waiting = await takeApproval(deps, tx, locked, change, { actor, asking, now: deps.clock.now() })
      if (waiting !== null) return waiting
    }
    const environment = await findEnvironment(tx, tenantId, locked.id)
    const { policy } = await readPolicy(tx, environment, environment.policyVersion)
    const { inputs } = await inputsOf(tx, environment, policy, at)
    const release = {
      id: newId(),
      policyVersion: row.policyVersion,
      headPolicyVersion: environment.policyVersion,
      projectId: row.projectId,
      versionId: row.versionId,
      versionLabel: row.versionLabel,
      trigger: 'rollback' as const,
      rolledBackTo: row.id,
      differences,
      compiler: row.compiler,
      createdBy: actor,
    }
    const made = await storeRelease(deps, tx, environment, { row: release, targets }, inputs)
    await appendAudit(tx, environment, {
      actor,
      action: 'release.rolled-back',
      target: `release:${row.id}`,
      before: { release: made.previousId },
      after: { release: made.id, number: made.number, policyVersion: made.policyVersion, to: row.number },
      reason: reason ?? null,
      policyVersion: environment.policyVersion,
      at,
    })
    const detail = { environment: environment.slug, number: row.number, reason: reason ?? null }
    const { principal } = grant
    await recordAudit(tx, { tenantId, actor: principal, action: 'release.rolled-back', targetId: row.id, detail, at })
    const shown = await readTargets(tx, tenantId, [made.id])
    return { release: releaseRecord(made, shown, await besideOf(tx, environment)) }
  })
}

/**
 * Makes a release with the files of an older one. It holds until the policy changes.
 * @throws SvcError `environment-not-found`, `release-not-found`, `release-unusable`, `analysis-stopped`, `approval-required` and what
 *   stops an approval
 */
export async function rollBack(deps: Deps, grant: Grant, ref: string, id: string, asked: Asked) {
  const environment = await findEnvironment(deps.db.read, tenantOf(grant).id, ref)
  const row = await findRelease(deps.db.read, environment, id)
  for (;;) {
    const compared = await comparedWithNewest(deps, environment, row.id)
    const done = await store(deps, grant, environment.id, row, { ...asked, ...compared })
    if (done === null) continue
    if ('changeDigest' in done) throw approvalError('approval-required', done)
    const { release } = done
    const { documents } = compared
    const message = `Release ${release.number} has the files of release ${row.number}. It holds until the policy changes.${documentsText(documents)}`
    return { release, message, documents }
  }
}
