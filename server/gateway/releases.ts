/** What the gateways of an environment were given, and how to go back. */
import { count, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { gatewayReleases, gatewayReleaseTargets } from '../../db/tables.gen.ts'
import type { Release, ReleaseComparison, ReleaseDetail } from '../../src/api/gateway-releases.ts'
import type { Engine } from '../../src/gateway/compile/model.ts'
import { differencesOf, risksOf } from '../../src/gateway/policy/compare.ts'
import { engineOf } from '../../src/gateway/release/cause.ts'
import { differencesOfSettings } from '../../src/gateway/release/difference.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, tenantOf } from '../auth/caller.ts'
import type { Grant } from '../auth/grant.ts'
import { recordAudit } from '../auth/audit.ts'
import type { Deps } from '../deps.ts'
import type { Page } from '../paging.ts'
import { approvalError, takeApproval } from './change.ts'
import { holds, lockRelease, storeRelease } from './compile-lane.ts'
import { enforcersOf, type EnforcerRow } from './enforcer-rows.ts'
import {
  contentSubject,
  inputsOf,
  readLane,
  readRelease,
  readTarget,
  readTargets,
  releasesOf,
  type LaneRow,
  type ReleaseRow,
  type TargetFacts,
} from './lane.ts'
import { unpackContent } from './release-content.ts'
import { appendAudit, findEnvironment, lockEnvironment, readPolicy, type EnvironmentRow } from './store.ts'

const mostNotEnforced = 1000

interface Beside {
  readonly environment: EnvironmentRow
  readonly lane: LaneRow | null
  readonly enforcers: readonly EnforcerRow[]
}

async function besideOf(read: Reader, environment: EnvironmentRow): Promise<Beside> {
  return {
    environment,
    lane: await readLane(read, environment),
    enforcers: await enforcersOf(read, environment),
  }
}

function releaseRecord(row: ReleaseRow, targets: readonly TargetFacts[], beside: Beside): Release {
  const { environment, lane, enforcers } = beside
  const isLatest = lane?.latestReleaseId === row.id
  const sum = (of: 'added' | 'removed') => row.differences.reduce((total, it) => total + it[of], 0)
  return {
    id: row.id,
    number: row.number,
    policyVersion: row.policyVersion,
    projectId: row.projectId,
    versionId: row.versionId,
    versionLabel: row.versionLabel,
    digest: row.digest,
    trigger: row.trigger,
    rolledBackTo: row.rolledBackTo,
    isLatest,
    holds: isLatest && holds(row, environment),
    diff: { added: sum('added'), removed: sum('removed') },
    targets: targets
      .filter(({ releaseId }) => releaseId === row.id)
      .map(({ engine, digest, files, operations, bodies }) => ({
        engine,
        digest,
        files: files.length,
        bytes: files.reduce((total, it) => total + it.bytes, 0),
        operations,
        bodies,
      })),
    activeOn: enforcers.filter(({ activeReleaseId }) => activeReleaseId === row.id).map(({ id }) => id),
    createdAt: row.createdAt,
    createdBy: row.createdBy,
  }
}

/** @throws SvcError `release-not-found` */
async function findRelease(read: Reader, environment: EnvironmentRow, id: string): Promise<ReleaseRow> {
  const row = await readRelease(read, environment, id)
  if (row === null) throw new SvcError('release-not-found', { what: `The release "${id}"` })
  return row
}

async function compareReleases(
  deps: Deps,
  environment: EnvironmentRow,
  from: string,
  to: string,
): Promise<ReleaseComparison> {
  const { read } = deps.db
  const { tenantId } = environment
  const [older, newer] = [await findRelease(read, environment, from), await findRelease(read, environment, to)]
  const targets = await readTargets(read, tenantId, [older.id, newer.id])
  const before = targets.filter(({ releaseId }) => releaseId === older.id)
  const after = targets.filter(({ releaseId }) => releaseId === newer.id)
  const enginesIn = (list: readonly TargetFacts[]): Engine[] => list.map(({ engine }) => engine)
  const texts = [...before, ...after].map((it) => contentSubject(deps, tenantId, it))
  const input = { before: enginesIn(before), after: enginesIn(after) }
  const files = await deps.analysis.run(tenantId, 'gateway-comparison', input, texts)
  const engines = [...new Set([...input.before, ...input.after])]
  const settingsOf = (list: readonly TargetFacts[], engine: Engine) =>
    list.find((it) => it.engine === engine)?.settings ?? []
  return {
    from: older.id,
    to: newer.id,
    added: files.reduce((sum, it) => sum + it.added, 0),
    removed: files.reduce((sum, it) => sum + it.removed, 0),
    files: files.map(({ hunks, ...rest }) => ({
      ...rest,
      hunks: hunks.map((it) => ({ ...it, removed: [...it.removed], added: [...it.added] })),
    })),
    settings: engines.flatMap((it) => differencesOfSettings(it, settingsOf(before, it), settingsOf(after, it))),
  }
}

/**
 * A page of the releases, newest first.
 * @throws SvcError `environment-not-found`; with `from` and `to` `release-not-found`, `analysis-stopped`
 */
export async function listReleases(
  deps: Deps,
  grant: Grant,
  ref: string,
  { from, to, ...page }: Page & { readonly from: string | null; readonly to: string | null },
) {
  const { read } = deps.db
  const environment = await findEnvironment(read, tenantOf(grant).id, ref)
  const beside = await besideOf(read, environment)
  const rows = await releasesOf(read, environment).limit(page.limit).offset(page.offset)
  const mine = inTenant(gatewayReleases, environment.tenantId, eq(gatewayReleases.environmentId, environment.id))
  const [total] = await read.select({ n: count() }).from(gatewayReleases).where(mine)
  const targets = await readTargets(
    read,
    environment.tenantId,
    rows.map(({ id }) => id),
  )
  const failure = beside.lane?.failure ?? null
  return {
    releases: rows.map((row) => releaseRecord(row, targets, beside)),
    comparison: from === null || to === null ? null : await compareReleases(deps, environment, from, to),
    failure:
      failure === null ? null : { at: failure.at, reason: failure.reason, policyVersion: failure.inputs.policyVersion },
    count: rows.length,
    total: total?.n ?? 0,
    ...page,
  }
}

/** @throws SvcError `environment-not-found`, `release-not-found` */
export async function showRelease(deps: Deps, grant: Grant, ref: string, id: string): Promise<ReleaseDetail> {
  const { read } = deps.db
  const environment = await findEnvironment(read, tenantOf(grant).id, ref)
  const row = await findRelease(read, environment, id)
  const targets = await readTargets(read, environment.tenantId, [row.id])
  const each = <T>(list: (it: TargetFacts) => readonly T[]) =>
    targets.flatMap((it) => list(it).map((one) => ({ engine: it.engine, ...one })))
  return {
    ...releaseRecord(row, targets, await besideOf(read, environment)),
    files: each(({ files }) => files),
    differences: row.differences.map((it) => ({ ...it })),
    settings: each(({ settings }) => settings),
    notEnforced: each(({ notEnforced }) => notEnforced).slice(0, mostNotEnforced),
  }
}

/** @throws SvcError `environment-not-found`, `release-not-found` */
export async function releaseFile(
  deps: Deps,
  grant: Grant,
  ref: string,
  file: { readonly release: string; readonly path: string; readonly engine: Engine | null },
) {
  const { read } = deps.db
  const environment = await findEnvironment(read, tenantOf(grant).id, ref)
  const row = await findRelease(read, environment, file.release)
  const [first] = await readTargets(read, environment.tenantId, [row.id])
  const engine = file.engine ?? first?.engine ?? 'coraza'
  const target = await readTarget(read, environment.tenantId, row.id, engine)
  if (target === null) throw new SvcError('release-not-found', { what: `A part of the release for ${engine}` })
  const known = target.files.find(({ path }) => path === file.path)
  const found = (await unpackContent(target.content)).files.find(({ path }) => path === file.path)
  if (known === undefined || found === undefined)
    throw new SvcError('release-not-found', { what: `The file "${file.path}" of the release` })
  return { engine, path: found.path, sha256: known.sha256, text: found.text }
}

/** Stops a rollback that would change nothing, or leave gateways without files. @throws SvcError `release-unusable` */
function assertUsable(row: ReleaseRow, targets: readonly TargetFacts[], { lane, enforcers }: Beside): void {
  if (lane?.latestReleaseId === row.id)
    throw new SvcError('release-unusable', { number: row.number, reason: 'it is the newest release' })
  const engines = new Set(targets.map(({ engine }) => engine))
  const lacking = enforcers.find(({ kind }) => !engines.has(engineOf[kind]))
  if (lacking !== undefined) {
    const reason = `it has no files for ${engineOf[lacking.kind]}, which the gateway "${lacking.label}" reads`
    throw new SvcError('release-unusable', { number: row.number, reason })
  }
}

/** Why a rollback needs another person: what the older policy does less than the present one. */
async function risksOfRollback(
  read: Reader,
  environment: EnvironmentRow,
  row: ReleaseRow,
  now: string,
): Promise<readonly string[]> {
  if (!environment.approvalsRequired) return []
  const { policy: present } = await readPolicy(read, environment, environment.policyVersion)
  const { policy: older } = await readPolicy(read, environment, row.policyVersion)
  return risksOf(differencesOf(present, older, now))
}

/**
 * Makes a release with the files of an older one. It holds until the policy changes.
 * @throws SvcError `environment-not-found`, `release-not-found`, `release-unusable`, `approval-required` and what stops an approval
 */
export async function rollBack(
  deps: Deps,
  grant: Grant,
  ref: string,
  id: string,
  { reason, approvalId }: { readonly reason?: string | undefined; readonly approvalId?: string | undefined },
) {
  const actor = actorOf(grant) ?? 'system'
  const at = deps.clock.iso()
  const done = await deps.db.inTransaction(async (tx) => {
    const locked = await lockEnvironment(tx, tenantOf(grant).id, ref)
    await lockRelease(tx, locked.id)
    const { tenantId } = locked
    const row = await findRelease(tx, locked, id)
    const targets = await tx
      .select()
      .from(gatewayReleaseTargets)
      .where(inTenant(gatewayReleaseTargets, tenantId, eq(gatewayReleaseTargets.releaseId, row.id)))
    assertUsable(row, targets, await besideOf(tx, locked))
    const risks = await risksOfRollback(tx, locked, row, at)
    if (risks.length > 0) {
      const summary = [`The gateways get the files of release ${row.number} again, until the policy changes.`]
      const body = reason === undefined ? {} : { reason }
      const change = {
        operation: 'POST /security/releases/rollback',
        target: row.id,
        body,
        summary,
        risks,
        preview: null,
      }
      const waiting = await takeApproval(tx, locked, change, { actor, approvalId, now: deps.clock.now() })
      if (waiting !== null) return waiting
    }
    const environment = await findEnvironment(tx, tenantId, locked.id)
    const { policy } = await readPolicy(tx, environment, environment.policyVersion)
    const { inputs } = await inputsOf(tx, environment, policy, at)
    const made = await storeRelease(
      deps,
      tx,
      environment,
      {
        row: {
          id: newId(),
          policyVersion: row.policyVersion,
          headPolicyVersion: environment.policyVersion,
          projectId: row.projectId,
          versionId: row.versionId,
          versionLabel: row.versionLabel,
          trigger: 'rollback',
          rolledBackTo: row.id,
          differences: [],
          createdBy: actor,
        },
        targets,
      },
      inputs,
    )
    const after = { release: made.id, number: made.number, policyVersion: made.policyVersion, to: row.number }
    await appendAudit(tx, environment, {
      actor,
      action: 'release.rolled-back',
      target: `release:${row.id}`,
      before: { release: made.previousId },
      after,
      reason: reason ?? null,
      policyVersion: environment.policyVersion,
      at,
    })
    const detail = { environment: environment.slug, number: row.number, reason: reason ?? null }
    const { principal } = grant
    await recordAudit(tx, { tenantId, actor: principal, action: 'release.rolled-back', targetId: row.id, detail, at })
    const shown = await readTargets(tx, tenantId, [made.id])
    return { release: releaseRecord(made, shown, await besideOf(tx, environment)), number: row.number }
  })
  if ('changeDigest' in done) throw approvalError('approval-required', done)
  const message = `Release ${done.release.number} has the files of release ${done.number}. It holds until the policy changes.`
  return { release: done.release, message }
}
