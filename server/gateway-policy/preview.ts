/** What several writes together would have done to recorded events, without storing any of them. */
import { newId } from '../../db/id.ts'
import type { PolicyEdit } from '../../src/api/gateway-positive.ts'
import { differencesOf, risksOf } from '../../src/gateway-policy/compare.ts'
import type { Exception, Policy } from '../../src/gateway-policy/model.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { assertKnownRules, readException, withRoom } from './exceptions.ts'
import { narrowingBetween, withPositive } from './positive.ts'
import { withGroup, withPresets } from './presets.ts'
import { assertRuleRoom, assertSafe, blankRule, findRule, withGiven } from './rules.ts'
import { findEnvironment, previewOf, readPolicy, type EnvironmentRow } from './store.ts'

type GivenRule = NonNullable<PolicyEdit['rules']>[number]

function withRule(policy: Policy, row: EnvironmentRow, given: GivenRule, by: string | null, now: string): Policy {
  const { ruleId, remove, ...rest } = given
  const was = ruleId === undefined ? null : findRule(policy, ruleId)
  const others = policy.rules.filter(({ id }) => id !== was?.id)
  if (remove === true) {
    if (was === null) throw new SvcError('rule-invalid', { reason: 'a removal names the rule, as ruleId' })
    return { ...policy, rules: others }
  }
  if (was === null) assertRuleRoom(policy)
  const rule = withGiven(rest, was ?? { ...blankRule(policy, by, now), name: 'New rule' }, was === null)
  return { ...policy, rules: [...others, assertSafe(policy, row, rule)] }
}

/** Where several writes are wrong, the first one is reported, in the order of the sections. */
async function edited(
  deps: Deps,
  grant: Grant,
  { row, policy }: { readonly row: EnvironmentRow; readonly policy: Policy },
  change: PolicyEdit,
): Promise<Policy> {
  const now = deps.clock.iso()
  const by = actorOf(grant)
  let next = policy
  if (change.presets !== undefined) next = { ...next, presets: withPresets(next.presets, change.presets) }
  for (const { id, ...given } of change.managedGroups ?? [])
    next = { ...next, groups: withGroup(next.groups, id, given) }
  for (const given of change.rules ?? []) next = withRule(next, row, given, by, now)
  for (const id of change.removeExceptions ?? []) {
    const found = next.exceptions.find((it) => it.id === id && it.removedAt === null)
    if (found === undefined) throw new SvcError('exception-not-found', { exception: id })
    next = { ...next, exceptions: next.exceptions.map((it) => (it === found ? { ...it, removedAt: now } : it)) }
  }
  for (const given of change.exceptions ?? []) {
    const read = readException(given, grant, now)
    assertKnownRules(next, read.target.ruleRefs)
    const exception: Exception = { id: newId(), ...read, policyVersion: row.policyVersion + 1, approvalId: null }
    next = { ...next, exceptions: [exception, ...withRoom(next.exceptions, now)] }
  }
  if (change.positive === undefined) return next
  return { ...next, positive: await withPositive(deps.db.read, row.tenantId, next.positive, change.positive) }
}

/**
 * Tries writes on the policy as it is now.
 * @throws SvcError `environment-not-found`, and what each write refuses
 */
export async function previewChange(deps: Deps, grant: Grant, ref: string, change: PolicyEdit) {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const { policy } = await readPolicy(read, row, row.policyVersion)
  const candidate = await edited(deps, grant, { row, policy }, change)
  const changes = differencesOf(policy, candidate, deps.clock.iso())
  return {
    policyVersion: row.policyVersion,
    ...(await previewOf(read, row, candidate, deps.clock.now())),
    changes,
    approvalRequired: row.approvalsRequired && risksOf(changes).length > 0,
    narrowing: await narrowingBetween(deps, read, row.tenantId, [policy, candidate]),
  }
}
