/** Makes the releases of an environment: one wherever gateways would get other files than they have. */
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { newId } from '../../db/id.ts'
import { environments, versions } from '../../db/tables.gen.ts'
import { exceptionState, type Policy } from '../../src/gateway-policy/door.ts'
import { causeOf, type ReleaseInputs, type ReleaseTrigger } from '../../src/gateway/release/cause.ts'
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
} from './release-rows.ts'
import { dropStaged, lockRelease, stageRelease, storeRelease, writeReleaseState } from './store-release.ts'
import { unpackMade, type Made } from '../../src/gateway/release/content.ts'
import { type EnvironmentRow, readPolicy } from '../gateway-policy/door.ts'

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

/** The files of the newest release for the engines of the gateways, as texts of an analysis. */
async function beforeOf(deps: Deps, { row, latest, inputs: { engines } }: Situation, trigger: ReleaseTrigger) {
  const targets = latest === null ? [] : await readTargets(deps.db.read, row.tenantId, [latest.id])
  const before = targets.filter(({ engine }) => engines.includes(engine))
  const subjects = before.map((it) => contentSubject(deps, row.tenantId, it))
  // Another compiler may do the same with the same lines and know more of it, as that an engine does not do what they say.
  const settingsOf = ({ settings }: (typeof before)[number]) => (trigger === 'compiler' ? settings : null)
  return {
    subjects,
    before: before.map((it) => ({ engine: it.engine, digest: it.digest, ...it.madeAs, settings: settingsOf(it) })),
  }
}

interface Compiled {
  readonly made: Made | null
  readonly contents: readonly Uint8Array[]
}

async function compile(
  deps: Deps,
  situation: Situation,
  releaseId: string,
  trigger: ReleaseTrigger,
): Promise<Compiled> {
  const { row, policy, inputs, version } = situation
  const { engines } = inputs
  const { before, subjects } = await beforeOf(deps, situation, trigger)
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
      staged: now?.staged ?? null,
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
    if (releaseState?.staged?.releaseId !== situation.releaseState?.staged?.releaseId) return false
    if (made === null) {
      await dropStaged(tx, row, releaseState)
      await writeReleaseState(tx, row, {
        latestReleaseId: releaseState?.latestReleaseId ?? null,
        inputs,
        compiledAt: deps.clock.iso(),
        failure: null,
        failures: 0,
        staged: null,
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
      compiler: inputs.compiler ?? null,
      createdBy: null,
    }
    const targets = made.targets.map((target, at) => ({
      ...target,
      madeAs: { releaseId: as.id, policyVersion },
      content: contents[at] ?? new Uint8Array(),
    }))
    const store = as.trigger === 'compiler' ? stageRelease : storeRelease
    await store(deps, tx, row, { row: release, targets }, inputs)
    return true
  })
}

/** Whether what a newer compiler makes of it waits already. */
const isStaged = ({ releaseState, inputs }: Situation, trigger: ReleaseTrigger): boolean =>
  trigger === 'compiler' && releaseState?.staged != null && causeOf(releaseState.staged.inputs, inputs) === null

/**
 * Makes the release of an environment where gateways would get other files than they have. It may be done again and by several
 * processes: what is stored is decided in one transaction. What a newer compiler alone makes is staged: gateways get it when a person takes it.
 * @returns when it is due again, in milliseconds since the epoch: at the end of the next exception. Null: with the next change
 */
export async function makeRelease(deps: Deps, tenantId: string, environmentId: string): Promise<number | null> {
  const it = await situationOf(deps, tenantId, environmentId)
  // Without gateways no one needs it: the first one asks for it.
  if (it === null || it.inputs.engines.length === 0) return null
  const next = nextExpiry(it.policy, deps.clock.iso())
  const trigger = causeOf(it.releaseState?.inputs ?? null, it.inputs)
  if (trigger === null || holds(it.latest, it.row) || isStaged(it, trigger)) return next
  const id = newId()
  let compiled: Compiled
  try {
    compiled = await compile(deps, it, id, trigger)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return noteFailure(deps, it, await withoutVersion(deps, it, error.message))
  }
  const isDone = await storeCompiled(deps, it, compiled, { id, trigger })
  return isDone ? next : deps.clock.now()
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
  if (trigger !== null && !isStaged(instead, trigger)) {
    const id = newId()
    try {
      await storeCompiled(deps, instead, await compile(deps, instead, id, trigger), { id, trigger })
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
