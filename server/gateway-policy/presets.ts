/** Presets and managed groups. */
import type { GroupUpdate, PresetsUpdate } from '../../src/api/gateway-shapes.ts'
import { groupIds, groupOf, managedGroups, type GroupId } from '../../src/gateway-policy/catalogue.ts'
import type { Policy, Presets } from '../../src/gateway-policy/model.ts'
import { SvcError } from '../../src/errors.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import { changePolicy, withoutControls } from './change.ts'
import type { PolicyDeps } from './enforcement.ts'
import { dayCounts } from './count.ts'
import { groupRecord, presetsOf } from './show.ts'
import { findEnvironment, readPolicy } from './store.ts'
import { rateOf } from './rate.ts'

const reasoned = ['tier', 'bot', 'rate', 'challenge'] as const

/**
 * The presets with what is given; a reason is kept with every preset that it is given for.
 * @throws SvcError `managed-off-without-reason`
 */
export function withPresets(
  before: Presets,
  { reason, ...given }: Omit<PresetsUpdate, 'approvalId' | 'dryRun' | 'expectedPolicyVersion'>,
): Presets {
  if (given.tier === 'off' && (reason ?? '').trim() === '')
    throw new SvcError('managed-off-without-reason', { setting: 'The tier', mode: 'off' })
  const rate = rateOf(given.rate, before.rate)
  const text = reason?.trim() ?? ''
  const named = reasoned.filter((it) => given[it] !== undefined)
  const reasons = { ...before.reasons, ...Object.fromEntries(named.map((it) => [it, text])) }
  return {
    tier: given.tier ?? before.tier,
    paranoia: given.paranoia === undefined ? before.paranoia : given.paranoia,
    threshold: given.threshold === undefined ? before.threshold : given.threshold,
    bot: given.bot ?? before.bot,
    rate,
    challenge: given.challenge === undefined ? before.challenge : given.challenge,
    reasons: Object.fromEntries(Object.entries(reasons).filter(([, it]) => it !== '')),
  }
}

/**
 * Sets presets.
 * @throws SvcError `managed-off-without-reason` and what `changePolicy` throws
 */
export async function setPresets(deps: PolicyDeps, grant: Grant, ref: string, given: PresetsUpdate) {
  const body = withoutControls(given)
  const { policy, result } = await changePolicy(
    deps,
    grant,
    ref,
    {
      operation: 'PUT /security/presets',
      target: null,
      body,
      action: 'presets.set',
      auditTarget: 'presets',
      reason: given.reason ?? null,
      edit: (before) => ({ ...before, presets: withPresets(before.presets, body) }),
      audited: ({ presets }) => presets,
    },
    given,
  )
  return { presets: presetsOf(policy.presets), ...result }
}

/** @throws SvcError `group-unknown` */
function readGroup(id: string): GroupId {
  const group = groupOf(id)
  if (group === undefined) throw new SvcError('group-unknown', { group: id, suggestion: suggest(id, groupIds) })
  return group.id
}

/**
 * The groups with the mode of one; null returns it to the catalogue default.
 * @throws SvcError `group-unknown`, `managed-off-without-reason`
 */
export function withGroup(
  groups: Policy['groups'],
  groupId: string,
  { mode, reason: given }: Pick<GroupUpdate, 'mode' | 'reason'>,
): Policy['groups'] {
  const id = readGroup(groupId)
  const reason = (given ?? '').trim()
  if ((mode === 'off' || mode === 'log') && reason === '')
    throw new SvcError('managed-off-without-reason', { setting: `The group ${id}`, mode })
  const { [id]: _own, ...others } = groups
  return mode === null ? others : { ...others, [id]: { mode, reason: reason === '' ? null : reason } }
}

/**
 * Sets the mode of a managed group; null returns it to the catalogue default.
 * @throws SvcError `group-unknown`, `managed-off-without-reason` and what `changePolicy` throws
 */
export async function setManagedGroup(
  deps: PolicyDeps,
  grant: Grant,
  ref: string,
  groupId: string,
  given: GroupUpdate,
) {
  const id = readGroup(groupId)
  const reason = (given.reason ?? '').trim()
  const edit = (before: Policy): Policy => ({ ...before, groups: withGroup(before.groups, id, given) })
  const { policy, row, result } = await changePolicy(
    deps,
    grant,
    ref,
    {
      operation: 'PUT /security/managed-groups',
      target: id,
      body: withoutControls(given),
      action: 'managed-group.set',
      auditTarget: `group:${id}`,
      reason: reason === '' ? null : reason,
      edit,
      audited: ({ groups }) => groups[id] ?? null,
    },
    given,
  )
  const { byGroup } = await dayCounts(deps.db.read, row, deps.clock.now())
  return { group: groupRecord(policy, id, byGroup.get(id) ?? 0), ...result }
}

/** The managed groups of an environment. */
export async function listManagedGroups(deps: PolicyDeps, grant: Grant, ref: string) {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const { policy } = await readPolicy(read, row, row.policyVersion)
  const { byGroup } = await dayCounts(read, row, deps.clock.now())
  const groups = managedGroups.map(({ id }) => groupRecord(policy, id, byGroup.get(id) ?? 0))
  return { policyVersion: row.policyVersion, groups, count: groups.length }
}
