/** The service makes approved changes itself: each kind of change, once, as requested, and nothing else. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { environments, securityApprovals } from '../../../db/tables.gen.ts'
import { gatewayOperations, policyOperations } from '../../../server/gateway-policy/operations.ts'
import { enforcersApi } from '../../../src/api/gateway-enforcers.ts'
import { environmentsApi } from '../../../src/api/environments.ts'
import { gatewayApi } from '../../../src/api/gateway.ts'
import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { releasesApi } from '../../../src/api/gateway-releases.ts'
import { SvcError } from '../../../src/errors.ts'
import { makeRelease } from '../../../server/gateway/make-release.ts'
import { addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { codeOf, openGateway, policyOf, type GatewayService } from '../../fixtures/gateway.ts'

type Who = 'ann' | 'ben' | 'eva' | 'vic'
interface Wanted {
  readonly changeDigest: string
  readonly approvalId: string
}

onBothEngines('applied approvals', (makeDb) => {
  let it: GatewayService
  beforeAll(async () => {
    it = await openGateway(await makeDb(), true)
  })
  afterAll(async () => {
    expect(it.faults).toEqual([])
    await it.service.stop()
  })
  const ann = () => it.as('ann')
  const wantedBy = async (work: Promise<unknown>): Promise<Wanted> => {
    try {
      await work
    } catch (error) {
      if (error instanceof SvcError && error.code === 'approval-required') return error.detail as unknown as Wanted
      throw error
    }
    throw new Error('no approval was required')
  }
  const approve = ({ changeDigest }: Wanted, more: object = {}) =>
    it.as('ben')(gatewayRecordsApi.approve, { params: it.params, body: { changeDigest, ...more } })
  const apply = ({ approvalId }: Pick<Wanted, 'approvalId'>, body: object = {}, who: Who = 'ann') =>
    it.as(who)(gatewayRecordsApi.applyApproval, { params: { ...it.params, approval_id: approvalId }, body })
  const setGroup = (mode: 'log' | 'off' | null, group: 'sqli' | 'xss' = 'sqli') =>
    ann()(gatewayApi.setManagedGroup, {
      params: { ...it.params, group_id: group },
      body: mode === null ? { mode } : { mode, reason: 'Trial' },
    })
  const effectiveOf = async (group: string) =>
    (await policyOf(it)).managedGroups.find(({ id }) => id === group)?.effective

  test('an approved change is made once, as it was requested, by who requested it', async () => {
    const wanted = await wantedBy(setGroup('log'))
    expect(await codeOf(apply(wanted))).toBe('approval-required')
    await approve(wanted)
    expect([
      await codeOf(apply(wanted, {}, 'ben')),
      await codeOf(apply(wanted, {}, 'vic')),
      await codeOf(apply(wanted, { changeDigest: 'sha256:0' })),
      await codeOf(apply({ approvalId: 'nothing' })),
      await effectiveOf('sqli'),
    ]).toEqual(['approval-mismatch', 'permission-denied', 'approval-mismatch', 'approval-not-found', 'block'])
    const { policyVersion: before } = await policyOf(it)
    const done = await apply(wanted, { changeDigest: wanted.changeDigest })
    expect(done).toMatchObject({
      policyVersion: before + 1,
      approval: { id: wanted.approvalId, state: 'used', approvedBy: 'ben' },
    })
    expect([await effectiveOf('sqli'), await codeOf(apply(wanted))]).toEqual(['log', 'approval-used'])
    const { rows } = await ann()(gatewayRecordsApi.audit, { params: it.params })
    expect(rows[0]).toMatchObject({ action: 'managed-group.set', actor: `user:${it.ids.ann}`, reason: 'Trial' })
    await setGroup(null)
  })

  test('what expired, was withdrawn or is of an older policy is not applied', async () => {
    const stale = await wantedBy(setGroup('log'))
    await approve(stale)
    await ann()(gatewayApi.setPresets, { params: it.params, body: { bot: 'block' } })
    const expired = await wantedBy(setGroup('log'))
    await approve(expired)
    await it.service.deps.db.inTransaction((tx) =>
      tx
        .update(securityApprovals)
        .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
        .where(eq(securityApprovals.id, expired.approvalId)),
    )
    const withdrawn = await wantedBy(setGroup('off'))
    await approve(withdrawn, { decision: 'withdraw' })
    expect([
      await codeOf(apply(stale)),
      await codeOf(apply(expired)),
      await codeOf(apply(withdrawn)),
      await effectiveOf('sqli'),
    ]).toEqual(['approval-stale', 'approval-expired', 'approval-withdrawn', 'block'])
  })

  test('a stored change that is not the approved one is refused', async () => {
    const wanted = await wantedBy(setGroup('log'))
    await approve(wanted)
    const store = (set: Partial<typeof securityApprovals.$inferInsert>) =>
      it.service.deps.db.inTransaction((tx) =>
        tx.update(securityApprovals).set(set).where(eq(securityApprovals.id, wanted.approvalId)),
      )
    await store({ body: { mode: 'off', reason: 'Trial' } })
    expect(await codeOf(apply(wanted))).toBe('approval-mismatch')
    await store({ operation: 'DELETE /everything' })
    expect(await codeOf(apply(wanted))).toBe('approval-mismatch')
    expect(await effectiveOf('sqli')).toBe('block')
  })

  test('it is reached in its own organization and environment only', async () => {
    const wanted = await wantedBy(setGroup('log'))
    await approve(wanted)
    const other = await addTenant(it.service.deps.db, 'other')
    const eve = await addUser(it.service.deps.db, 'eve')
    await addMember(it.service.deps.db, other, eve, 'owner')
    const { approvalId } = wanted
    const params = { ...it.params, approval_id: approvalId }
    expect(await codeOf(it.service.callAs(eve)(gatewayRecordsApi.applyApproval, { params, body: {} }))).toBe(
      'environment-not-found',
    )
    const second = await ann()(environmentsApi.create, { body: { name: 'Second', approvals: { required: true } } })
    const there = { environment_id: second.id, approval_id: approvalId }
    expect(await codeOf(ann()(gatewayRecordsApi.applyApproval, { params: there, body: {} }))).toBe('approval-not-found')
    await approve(wanted, { decision: 'withdraw' })
  })

  test('every kind of risky change is applied', async () => {
    const { params } = it
    const made: string[] = []
    const through = async (work: Promise<unknown>) => {
      const wanted = await wantedBy(work)
      await approve(wanted)
      const { approval } = await apply(wanted)
      expect(approval.state).toBe('used')
      made.push(approval.operation)
    }
    const release = async () => {
      await makeRelease(it.service.deps, it.tenantId, it.environment.id)
      const { releases } = await ann()(releasesApi.list, { params })
      return releases[0]?.id ?? ''
    }
    await through(ann()(gatewayApi.setPresets, { params, body: { tier: 'basic', reason: 'Trial' } }))
    await through(setGroup('log', 'xss'))
    await ann()(enforcersApi.create, { params, body: { label: 'edge-1', engine: 'coraza-caddy' } })
    const weak = await release()
    const { policyVersion: weakVersion } = await policyOf(it)
    await setGroup(null, 'xss')
    await release()
    await through(
      ann()(releasesApi.rollback, { params: { ...params, release_id: weak }, body: { reason: 'Refused too much' } }),
    )
    await through(ann()(gatewayApi.restorePolicyVersion, { params: { ...params, version: weakVersion }, body: {} }))
    await through(
      ann()(gatewayApi.createRule, {
        params,
        body: { name: 'Office', action: 'allow', expression: 'ip.src cidr "10.0.0.0/8"' },
      }),
    )
    const { rule } = await ann()(gatewayApi.createRule, {
      params,
      body: { name: 'Admin', action: 'block', expression: 'http.path eq "/admin"' },
    })
    const rulePath = { ...params, rule_id: rule.id }
    await through(ann()(gatewayApi.updateRule, { params: rulePath, body: { action: 'allow' } }))
    expect((await policyOf(it)).rules.find(({ id }) => id === rule.id)?.action).toBe('allow')
    const office = (await policyOf(it)).rules.find(({ name }) => name === 'Office')
    const officePath = { ...params, rule_id: office?.id ?? '' }
    await ann()(gatewayApi.removeRule, { params: officePath, query: {} })
    await through(ann()(gatewayApi.restoreRule, { params: officePath, body: {} }))
    const expiresAt = new Date(Date.now() + 30 * 3_600_000).toISOString()
    await through(
      ann()(gatewayApi.createException, {
        params,
        body: { scope: { route: '/a', field: 'query:q' }, target: { groups: ['sqli'] }, reason: 'x', expiresAt },
      }),
    )
    await through(ann()(enforcersApi.remove, { params: { ...params, enforcer_id: 'edge-1' }, query: {} }))
    await through(ann()(environmentsApi.update, { params, body: { approvals: { required: false } } }))
    // The removal of an exception needs no approval; the others are applied in tests of their own.
    const never = [
      'DELETE /environments',
      'DELETE /security/exceptions',
      'DELETE /security/rules',
      'PUT /security/positive',
    ]
    const known: readonly string[] = [...policyOperations, ...gatewayOperations]
    expect(made.toSorted()).toEqual(known.filter((one) => !never.includes(one)).toSorted())
    const [row] = await it.service.deps.db.read
      .select()
      .from(environments)
      .where(eq(environments.id, it.environment.id))
    expect(row?.approvalsRequired).toBe(false)
  })
})
