/** Makes the releases of an environment: one wherever gateways would get other files than they have. */
import { and, asc, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import {
  environments,
  gatewayEnforcers,
  gatewayReleaseStates,
  gatewayReleases,
  gatewayReleaseTargets,
  versions,
} from '../../db/tables.gen.ts'
import type { DialectName } from '../../src/gateway/dialects/index.ts'
import { exceptionState, type Policy } from '../../src/gateway-policy/door.ts'
import { causeOf, type ReleaseInputs, type ReleaseTrigger } from '../../src/gateway/release/cause.ts'
import { filesDigest } from '../../src/gateway/release/digest.ts'
import { SvcError } from '../../src/errors.ts'
import type { Deps } from '../kit/door.ts'
import { recordEvent } from '../outbox/door.ts'
import type { VersionRow } from '../records/door.ts'
import {
  contentSubject,
  inputsOf,
  readReleaseState,
  readRelease,
  readTargets,
  type ReleaseStateRow,
  type ReleaseRow,
  type TargetRow,
} from './release-rows.ts'
import { releaseNotifier } from './release-notifier.ts'
import { unpackMade, type Made } from '../../src/gateway/release/content.ts'
import { type EnvironmentRow, readPolicy } from '../gateway-policy/door.ts'

/** Releases that are kept, beside those that a gateway still uses. */
export const keptReleases = 100
const minuteMs = 60_000
const longestPauseMs = 60 * minuteMs

/** When the next of the exceptions ends; null where none will. */
function nextExpiry(policy: Policy, now: string): number | null {
  const ends = policy.exceptions
    .filter((it) => exceptionState(it, now) === 'active')
    .map(({ expiresAt }) => Date.parse(expiresAt))
  return ends.length === 0 ? null : Math.min(...ends)
}

/** A rollback holds until the policy changes. */
export const holds = (
  release: Pick<ReleaseRow, 'trigger' | 'headPolicyVersion'> | null,
  { policyVersion }: Pick<EnvironmentRow, 'policyVersion'>,
): boolean => release?.trigger === 'rollback' && release.headPolicyVersion === policyVersion

interface Situation {
  readonly row: EnvironmentRow
  readonly policy: Policy
  readonly releaseState: ReleaseStateRow | null
  readonly latest: ReleaseRow | null
  readonly inputs: ReleaseInputs
  readonly version: VersionRow | null
}

async function situationOf({ db, clock }: Deps, tenantId: string, environmentId: string): Promise<Situation | null> {
  const { read } = db
  const [row] = await read
    .select()
    .from(environments)
    .where(inTenant(environments, tenantId, eq(environments.id, environmentId)))
  if (row === undefined) return null
  const { policy } = await readPolicy(read, row, row.policyVersion)
  const releaseState = await readReleaseState(read, row)
  const latest =
    releaseState?.latestReleaseId == null ? null : await readRelease(read, row, releaseState.latestReleaseId)
  return { row, policy, releaseState, latest, ...(await inputsOf(read, row, policy, clock.iso())) }
}

/** The files of the newest release for these engines, as texts of an analysis. */
async function beforeOf(deps: Deps, { row, latest }: Situation, engines: readonly DialectName[]) {
  const targets = latest === null ? [] : await readTargets(deps.db.read, row.tenantId, [latest.id])
  const before = targets.filter(({ engine }) => engines.includes(engine))
  const subjects = before.map((it) => contentSubject(deps, row.tenantId, it))
  return { subjects, before: before.map(({ engine, digest, madeAs }) => ({ engine, digest, ...madeAs })) }
}

interface Compiled {
  readonly made: Made | null
  readonly contents: readonly Uint8Array[]
}

async function compile(deps: Deps, situation: Situation, releaseId: string): Promise<Compiled> {
  const { row, policy, inputs, version } = situation
  const { engines } = inputs
  const { before, subjects } = await beforeOf(deps, situation, engines)
  // What is in bundles and in no file needs a release even where the files stay as they are.
  const isForced = situation.releaseState?.inputs != null && situation.releaseState.inputs.evidence !== inputs.evidence
  const now = deps.clock.iso()
  // What ended is left out here; what is active ends in the engine itself.
  const active = { ...policy, exceptions: policy.exceptions.filter((one) => exceptionState(one, now) === 'active') }
  const environment = { id: row.id, slug: row.slug, hostnames: row.hostnames, basePaths: row.basePaths }
  const bytes = await deps.analysis.run(
    row.tenantId,
    'gateway-release',
    {
      compile: { policy: active, policyVersion: row.policyVersion, environment, releaseId },
      engines,
      hasDocument: version !== null,
      isForced,
      before,
    },
    [...(version === null ? [] : [deps.analysis.subjectOf(version)]), ...subjects],
  )
  return unpackMade(bytes)
}

/** A release with the files of its engines, without its number and its digest. */
export interface NewRelease {
  readonly row: Omit<ReleaseRow, 'number' | 'previousId' | 'createdAt' | 'tenantId' | 'environmentId' | 'digest'>
  readonly targets: readonly Omit<TargetRow, 'tenantId' | 'releaseId'>[]
}

/** Removes what is beyond the kept ones and used by no gateway. */
async function prune(tx: Transaction, { id, tenantId }: EnvironmentRow, number: number): Promise<void> {
  const old = await tx
    .select({ id: gatewayReleases.id })
    .from(gatewayReleases)
    .where(
      inTenant(
        gatewayReleases,
        tenantId,
        and(eq(gatewayReleases.environmentId, id), lte(gatewayReleases.number, number - keptReleases)),
      ),
    )
    .orderBy(asc(gatewayReleases.number))
    .limit(50)
  if (old.length === 0) return
  const used = await tx
    .select({ id: gatewayEnforcers.activeReleaseId })
    .from(gatewayEnforcers)
    .where(
      inTenant(
        gatewayEnforcers,
        tenantId,
        and(eq(gatewayEnforcers.environmentId, id), isNotNull(gatewayEnforcers.activeReleaseId)),
      ),
    )
  const kept = new Set(used.map((it) => it.id))
  const gone = old.map((it) => it.id).filter((it) => !kept.has(it))
  if (gone.length === 0) return
  await tx.delete(gatewayReleases).where(inTenant(gatewayReleases, tenantId, inArray(gatewayReleases.id, gone)))
}

/** Writes how a compilation ended, in the one row that gateways wait for. */
async function writeReleaseState(
  tx: Transaction,
  row: EnvironmentRow,
  set: Omit<ReleaseStateRow, 'environmentId' | 'tenantId'>,
): Promise<void> {
  await tx
    .insert(gatewayReleaseStates)
    .values({ environmentId: row.id, tenantId: row.tenantId, ...set })
    .onConflictDoUpdate({ target: gatewayReleaseStates.environmentId, set })
}

/**
 * Stores a release as the newest one of an environment; gateways that wait get it at once.
 * @param inputs what it was made of
 */
export async function storeRelease(
  deps: Deps,
  tx: Transaction,
  row: EnvironmentRow,
  made: NewRelease,
  inputs: ReleaseInputs,
): Promise<ReleaseRow> {
  const { tenantId, id: environmentId } = row
  const releaseState = await readReleaseState(tx, row)
  const latest = releaseState?.latestReleaseId == null ? null : await readRelease(tx, row, releaseState.latestReleaseId)
  const digest = filesDigest(made.targets.map(({ engine, digest: sha256 }) => ({ path: engine, sha256 })))
  const at = deps.clock.iso()
  const release: ReleaseRow = {
    ...made.row,
    tenantId,
    environmentId,
    number: (latest?.number ?? 0) + 1,
    previousId: latest?.id ?? null,
    digest,
    createdAt: at,
  }
  await tx.insert(gatewayReleases).values(release)
  for (const target of made.targets)
    await tx.insert(gatewayReleaseTargets).values({ ...target, tenantId, releaseId: release.id })
  const set = { latestReleaseId: release.id, inputs, compiledAt: at, failure: null, failures: 0 }
  await writeReleaseState(tx, row, set)
  await prune(tx, row, release.number)
  tx.afterCommit(() => releaseNotifier(deps.db).notify(environmentId))
  return release
}

/** What everything that writes releases of an environment holds. */
export const lockRelease = (tx: Transaction, environmentId: string): Promise<void> =>
  tx.lock(`gateway-release:${environmentId}`)

/** @param reason in sentences */
async function noteFailure(deps: Deps, situation: Situation, reason: string): Promise<number> {
  const { row, releaseState, inputs } = situation
  const at = deps.clock.iso()
  const isAgain = releaseState?.failure != null && causeOf(releaseState.failure.inputs, inputs) === null
  const failures = isAgain ? releaseState.failures + 1 : 1
  await deps.db.inTransaction(async (tx) => {
    await lockRelease(tx, row.id)
    const now = await readReleaseState(tx, row)
    await writeReleaseState(tx, row, {
      latestReleaseId: now?.latestReleaseId ?? null,
      inputs: now?.inputs ?? null,
      compiledAt: at,
      failure: { at, reason, inputs },
      failures,
    })
    if (isAgain) return
    await recordEvent(deps, tx, {
      tenantId: row.tenantId,
      type: 'gateway.release_failed',
      subjectId: row.id,
      payload: {
        environment_id: row.id,
        environment_slug: row.slug,
        environment_name: row.name,
        policy_version: row.policyVersion,
        release_id: null,
        enforcer_id: null,
        enforcer_label: null,
        reason,
      },
      at,
    })
  })
  return deps.clock.now() + Math.min(minuteMs * 2 ** (failures - 1), longestPauseMs)
}

/** Stores what was compiled, unless another process was faster. @returns false: it was */
async function storeCompiled(
  deps: Deps,
  situation: Situation,
  { made, contents }: Compiled,
  as: { readonly id: string; readonly trigger: Exclude<ReleaseTrigger, 'rollback'> },
): Promise<boolean> {
  const { row, inputs, version } = situation
  return deps.db.inTransaction(async (tx) => {
    await lockRelease(tx, row.id)
    const releaseState = await readReleaseState(tx, row)
    if ((releaseState?.latestReleaseId ?? null) !== (situation.latest?.id ?? null)) return false
    if (made === null) {
      await writeReleaseState(tx, row, {
        latestReleaseId: releaseState?.latestReleaseId ?? null,
        inputs,
        compiledAt: deps.clock.iso(),
        failure: null,
        failures: 0,
      })
      return true
    }
    const { policyVersion } = row
    const release = {
      id: as.id,
      policyVersion,
      headPolicyVersion: policyVersion,
      projectId: version?.projectId ?? null,
      versionId: version?.id ?? null,
      versionLabel: version?.label ?? null,
      trigger: as.trigger,
      rolledBackTo: null,
      differences: made.differences,
      createdBy: null,
    }
    const targets = made.targets.map((target, at) => ({
      ...target,
      madeAs: { releaseId: as.id, policyVersion },
      content: contents[at] ?? new Uint8Array(),
    }))
    await storeRelease(deps, tx, row, { row: release, targets }, inputs)
    return true
  })
}

/**
 * Makes the release of an environment where gateways would get other files than they have. It may be done again and by several
 * processes: what is stored is decided in one transaction.
 * @returns when it is due again, in milliseconds since the epoch: at the end of the next exception. Null: with the next change
 */
export async function makeRelease(deps: Deps, tenantId: string, environmentId: string): Promise<number | null> {
  const it = await situationOf(deps, tenantId, environmentId)
  // Without gateways no one needs it: the first one asks for it.
  if (it === null || it.inputs.engines.length === 0) return null
  const next = nextExpiry(it.policy, deps.clock.iso())
  const trigger = causeOf(it.releaseState?.inputs ?? null, it.inputs)
  if (trigger === null || holds(it.latest, it.row)) return next
  const id = newId()
  let compiled: Compiled
  try {
    compiled = await compile(deps, it, id)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return noteFailure(deps, it, await withoutVersion(deps, it, error.message))
  }
  const isStored = await storeCompiled(deps, it, compiled, { id, trigger })
  return isStored ? next : deps.clock.now()
}

/** The version that the newest release was made with, unless it is the one that cannot be compiled. Undefined: there is nothing to go back to. */
async function lastGoodVersion(
  { db }: Deps,
  { row, latest, version }: Situation,
): Promise<VersionRow | null | undefined> {
  if (version === null || latest?.versionId === version.id) return undefined
  if (latest === null || latest.versionId === null) return null
  const [found] = await db.read
    .select()
    .from(versions)
    .where(inTenant(versions, row.tenantId, eq(versions.id, latest.versionId)))
  return found
}

/**
 * A version that cannot be compiled keeps no policy from the gateways: they get it with the version that they have.
 * @param reason why the version cannot be compiled
 * @returns the reason, with what the gateways have instead
 */
async function withoutVersion(deps: Deps, situation: Situation, reason: string): Promise<string> {
  const version = await lastGoodVersion(deps, situation)
  if (version === undefined) return reason
  const inputs = { ...situation.inputs, versionId: version?.id ?? null, documentDigest: version?.digest ?? null }
  const instead = { ...situation, version, inputs }
  const trigger = causeOf(situation.releaseState?.inputs ?? null, inputs)
  if (trigger !== null) {
    const id = newId()
    try {
      await storeCompiled(deps, instead, await compile(deps, instead, id), { id, trigger })
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      return reason
    }
  }
  const kept =
    version === null
      ? 'Gateways have the policy without the checks of a document.'
      : `Gateways have the policy with version ${version.label} of the document.`
  return `Version ${situation.version?.label ?? ''} of the document cannot be compiled: ${reason} ${kept}`
}
