/** What is known of the enforcement of each setting. Nothing is enforced that no gateway has confirmed. */
import { isoOf } from '../../db/clock.ts'
import type { Reader } from '../../db/database.ts'
import type { SecurityPolicy } from '../../src/api/gateway.ts'
import { releasesApi } from '../../src/api/gateway-releases.ts'
import type { DialectName } from '../../src/gateway/dialects/index.ts'
import { exceptionState, managedGroups, type Policy, positiveChecks } from '../../src/gateway-policy/door.ts'
import { dialectOfKind } from '../../src/gateway/engines/index.ts'
import { causeOf, differsInVersionOnly, isInForce, type ReleaseInputs } from '../../src/gateway/release/cause.ts'
import { holds } from './make-release.ts'
import { askForRelease } from './ask-for-release.ts'
import { enforcersOf } from './enforcer-rows.ts'
import { dialectsOf, inputsOf } from './release-rows.ts'
import { countsIn, environmentViewOf, stateIn, targetFor, type EnvironmentView } from './environment-view.ts'
import type { Enforcement, EnvironmentRow } from '../gateway-policy/door.ts'
import { checkedBody } from '../gateway-policy/door.ts'
import { removeEnforcer } from './enforcers.ts'
import { rollBack } from './rollback.ts'

type Enforced = SecurityPolicy['enforces'][number]

/** The settings of a policy by the names of answers, each with the name that releases have for it. */
function settingsOf({ presets, rules, exceptions, positive }: Policy): (readonly [shown: string, compiled: string])[] {
  const challenged = presets.bot === 'challenge' || rules.some((it) => it.enabled && it.action === 'challenge')
  return [
    ['presets/tier', 'tier'],
    ['presets/bot', 'bot'],
    ...(presets.rate === null ? [] : ([['presets/rate', 'rate']] as const)),
    ...(presets.challenge === null && !challenged ? [] : ([['presets/challenge', 'challenge']] as const)),
    ...managedGroups.map(({ id }) => [`groups/${id}`, `group:${id}`] as const),
    ...rules.filter(({ enabled }) => enabled).map(({ id }) => [`rules/${id}`, `rule:${id}`] as const),
    ...exceptions.map(({ id }) => [`exceptions/${id}`, `exception:${id}`] as const),
    ...(positive === null ? [] : positiveChecks.map((check) => [`positive/${check}`, `positive:${check}`] as const)),
  ]
}

/** Whether gateways have the policy with an earlier version of the document, because the one that it means cannot be compiled. */
const keepsVersion = ({ releaseState }: EnvironmentView, inputs: ReleaseInputs): boolean =>
  releaseState?.failure != null &&
  causeOf(releaseState.failure.inputs, inputs) === null &&
  releaseState.inputs !== null &&
  differsInVersionOnly(releaseState.inputs, inputs)

/** Why what an engine does is not known; null: every gateway that has it reported the newest release as active. */
function doubtOf(
  view: EnvironmentView,
  row: EnvironmentRow,
  inputs: ReleaseInputs,
  engine: DialectName,
  now: number,
): string | null {
  const { releaseState, latest } = view
  if (holds(latest, row))
    return `The gateways have an older release again: version ${latest?.policyVersion ?? 0} of the policy, until it changes.`
  const made = releaseState?.inputs ?? null
  const isMade = latest !== null && made !== null && isInForce(made, inputs)
  if (!isMade && !keepsVersion(view, inputs)) {
    if (releaseState?.failure != null) return `No release of this policy could be made: ${releaseState.failure.reason}`
    return 'The release is being made.'
  }
  for (const it of view.enforcers.filter(({ kind }) => dialectOfKind(kind).name === engine)) {
    const state = stateIn(view, it, now)
    if (state === 'never-seen') return `The gateway "${it.label}" has not reported yet.`
    if (state === 'silent') return `Nothing was heard of the gateway "${it.label}" since ${it.lastSeenAt ?? ''}.`
    if (state === 'failed') return `The gateway "${it.label}" could not use the newest release: ${it.lastError ?? ''}`
    if (state === 'behind') return `The gateway "${it.label}" does not use the newest release yet.`
  }
  return null
}

/**
 * What each engine of an environment does with each setting of its policy.
 * @param inputs what a release would be made of now
 */
function enforcementOf(
  policy: Policy,
  view: EnvironmentView,
  row: EnvironmentRow,
  inputs: ReleaseInputs,
  now: number,
): Enforced[] {
  const settings = settingsOf(policy)
  const engines = dialectsOf(view.enforcers)
  if (engines.length === 0)
    return settings.map(([setting, compiled]): Enforced =>
      compiled === 'challenge'
        ? { setting, engine: null, state: 'not-enforced', reason: 'Coraza and ModSecurity cannot send a challenge.' }
        : { setting, engine: null, state: 'unknown', reason: 'No gateway has reported for this environment.' },
    )
  const kept = keepsVersion(view, inputs) ? (view.releaseState?.failure?.reason ?? null) : null
  return engines.flatMap((engine) => {
    const doubt = doubtOf(view, row, inputs, engine, now)
    const first = view.enforcers.find(({ kind }) => dialectOfKind(kind).name === engine)
    const known = new Map(
      (first === undefined ? [] : (targetFor(view, first)?.settings ?? [])).map((it) => [it.setting, it]),
    )
    return settings.map(([setting, compiled]): Enforced => {
      if (doubt !== null) return { setting, engine, state: 'unknown', reason: doubt }
      if (kept !== null && compiled.startsWith('positive:'))
        return {
          setting,
          engine,
          state: view.latest?.versionId == null ? 'not-enforced' : 'approximated',
          reason: kept,
        }
      const { state = 'unknown', reason = 'The release says nothing about it.' } = known.get(compiled) ?? {}
      return { setting, engine, state, reason }
    })
  })
}

/** The newest release, the one that waits, and the one that each gateway reported as active. */
const releasesIn = ({ latest, enforcers, releaseState }: EnvironmentView): SecurityPolicy['releases'] => ({
  latest: latest?.id ?? null,
  staged: releaseState?.staged?.releaseId ?? null,
  active: Object.fromEntries(
    enforcers.flatMap(({ id, activeReleaseId }) => (activeReleaseId === null ? [] : [[id, activeReleaseId]])),
  ),
})

const changes: Enforcement['changes'] = {
  'DELETE /security/enforcers': (deps, grant, ref, { id, target }) =>
    removeEnforcer(deps, grant, ref, target ?? '', { approvalId: id }),
  'POST /security/releases/rollback': (deps, grant, ref, approval) =>
    rollBack(deps, grant, ref, approval.target ?? '', checkedBody(releasesApi.rollback.body, approval)),
}

/** What the room of policies asks of gateways. */
export const enforcement: Enforcement = {
  askForRelease,
  gatewaysOf: enforcersOf,
  countsOf: async (read, row, now) => countsIn(await environmentViewOf(read, row), now),
  async stateOf(read: Reader, row, policy, now) {
    const at = isoOf(now)
    const active = { ...policy, exceptions: policy.exceptions.filter((it) => exceptionState(it, at) === 'active') }
    const view = await environmentViewOf(read, row)
    const { inputs } = await inputsOf(read, row, policy, at)
    return { enforces: enforcementOf(active, view, row, inputs, now), releases: releasesIn(view) }
  },
  changes,
}
