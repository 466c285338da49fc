/** What is known of the enforcement of each setting. Nothing is enforced that no gateway has confirmed. */
import type { SecurityPolicy } from '../../src/api/gateway.ts'
import type { Engine } from '../../src/gateway/compile/model.ts'
import { managedGroups } from '../../src/gateway/policy/catalogue.ts'
import { positiveChecks, type Policy } from '../../src/gateway/policy/model.ts'
import { causeOf, engineOf, type ReleaseInputs } from '../../src/gateway/release/cause.ts'
import { holds } from './compile-lane.ts'
import { enginesOf } from './lane.ts'
import { stateIn, targetFor, type LaneView } from './lane-view.ts'
import type { EnvironmentRow } from './store.ts'

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

/** Why what an engine does is not known; null: every gateway that has it reported the newest release as active. */
function doubtOf(
  view: LaneView,
  row: EnvironmentRow,
  inputs: ReleaseInputs,
  engine: Engine,
  now: number,
): string | null {
  const { lane, latest } = view
  if (holds(latest, row))
    return `The gateways have an older release again: version ${latest?.policyVersion ?? 0} of the policy, until it changes.`
  if (lane?.failure != null) return `No release of this policy could be made: ${lane.failure.reason}`
  if (latest === null || causeOf(lane?.inputs ?? null, inputs) !== null) return 'The release is being made.'
  for (const it of view.enforcers.filter(({ kind }) => engineOf[kind] === engine)) {
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
export function enforcementOf(
  policy: Policy,
  view: LaneView,
  row: EnvironmentRow,
  inputs: ReleaseInputs,
  now: number,
): Enforced[] {
  const settings = settingsOf(policy)
  const engines = enginesOf(view.enforcers)
  if (engines.length === 0)
    return settings.map(([setting, compiled]): Enforced =>
      compiled === 'challenge'
        ? { setting, engine: null, state: 'not-enforced', reason: 'Coraza and ModSecurity cannot send a challenge.' }
        : { setting, engine: null, state: 'unknown', reason: 'No gateway has reported for this environment.' },
    )
  return engines.flatMap((engine) => {
    const doubt = doubtOf(view, row, inputs, engine, now)
    const first = view.enforcers.find(({ kind }) => engineOf[kind] === engine)
    const known = new Map(
      (first === undefined ? [] : (targetFor(view, first)?.settings ?? [])).map((it) => [it.setting, it]),
    )
    return settings.map(([setting, compiled]): Enforced => {
      if (doubt !== null) return { setting, engine, state: 'unknown', reason: doubt }
      const { state = 'unknown', reason = 'The release says nothing about it.' } = known.get(compiled) ?? {}
      return { setting, engine, state, reason }
    })
  })
}

/** The newest release, and the one that each gateway reported as active. */
export const releasesIn = ({ latest, enforcers }: LaneView): SecurityPolicy['releases'] => ({
  latest: latest?.id ?? null,
  active: Object.fromEntries(
    enforcers.flatMap(({ id, activeReleaseId }) => (activeReleaseId === null ? [] : [[id, activeReleaseId]])),
  ),
})
