/** A request may say that its approval makes the change: as who asked, with every check of making it, or not at all and with the reason. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { apiKeys, memberships } from '../../../db/tables.gen.ts'
import { environmentsApi } from '../../../src/api/environments.ts'
import { gatewayApi } from '../../../src/api/gateway.ts'
import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { notificationsApi } from '../../../src/api/notifications.ts'
import { SvcError } from '../../../src/errors.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { codeOf, openGateway, policyOf, type GatewayService } from '../../fixtures/gateway.ts'
import { readersDone } from '../../fixtures/outbox.ts'

interface Wanted {
  readonly changeDigest: string
  readonly approvalId: string
}

onBothEngines('approvals that make the change', (makeDb) => {
  let it: GatewayService
  beforeAll(async () => {
    it = await openGateway(await makeDb(), true)
  })
  afterAll(async () => {
    expect(it.faults).toEqual([])
    await it.service.stop()
  })
  const wantedBy = async (work: Promise<unknown>): Promise<Wanted> => {
    try {
      await work
    } catch (error) {
      if (error instanceof SvcError && error.code === 'approval-required') return error.detail as unknown as Wanted
      throw error
    }
    throw new Error('no approval was required')
  }
  const setGroup = (mode: 'log' | null, more: object = { applyWhenApproved: true }) =>
    it.as('ann')(gatewayApi.setManagedGroup, {
      params: { ...it.params, group_id: 'sqli' },
      body: mode === null ? { mode } : { mode, reason: 'Trial', ...more },
    })
  const approve = ({ changeDigest }: Wanted, who: 'ann' | 'ben' = 'ben') =>
    it.as(who)(gatewayRecordsApi.approve, { params: it.params, body: { changeDigest } })
  const effective = async () => (await policyOf(it)).managedGroups.find(({ id }) => id === 'sqli')?.effective
  const noticesOf = async (who: 'ann' | 'ben') => {
    await readersDone(it.service.deps.db)
    const { notifications } = await it.as(who)(notificationsApi.list, { params: { tenant_slug: 'local' } })
    return notifications.map(({ payload }) => [payload.title, payload.excerpt])
  }
  const setRole = (role: 'viewer' | 'admin') =>
    it.service.deps.db.inTransaction((tx) =>
      tx
        .update(memberships)
        .set({ role })
        .where(and(eq(memberships.tenantId, it.tenantId), eq(memberships.userId, it.ids.ann))),
    )

  test('the approval makes the change, and the audit trail names both people', async () => {
    const wanted = await wantedBy(setGroup('log'))
    expect((await policyOf(it)).pendingApprovals).toMatchObject([{ applyWhenApproved: true, notApplied: null }])
    expect([await codeOf(approve(wanted, 'ann')), await effective()]).toEqual(['approval-self', 'block'])
    expect(await approve(wanted)).toMatchObject({ state: 'used', approvedBy: 'ben', notApplied: null })
    expect(await effective()).toBe('log')
    const { rows } = await it.as('ann')(gatewayRecordsApi.audit, { params: it.params })
    expect(rows.slice(0, 4).map(({ action, actorName, reason }) => [action, actorName, reason])).toEqual([
      ['approval.applied', 'ben', null],
      ['managed-group.set', 'ann', 'Trial'],
      ['approval.given', 'ben', null],
      ['approval.requested', 'ann', null],
    ])
    expect(rows[0]?.after).toMatchObject({ requestedBy: `user:${it.ids.ann}`, applyWhenApproved: true })
    expect(await codeOf(approve(wanted))).toBe('approval-used')
    expect(await noticesOf('ann')).toEqual([
      [
        'Your change of the policy of Production was approved and is made',
        'The group SQL injection changes from the catalogue default to log: Trial.',
      ],
    ])
    await setGroup(null)
  })

  test('without the choice who asked makes the change, and who asks again chooses again', async () => {
    const wanted = await wantedBy(setGroup('log', {}))
    expect(await approve(wanted)).toMatchObject({ state: 'approved', applyWhenApproved: false })
    expect(await effective()).toBe('block')
    await it.as('ben')(gatewayRecordsApi.approve, {
      params: it.params,
      body: { changeDigest: wanted.changeDigest, decision: 'withdraw' },
    })
    const chosen = await wantedBy(setGroup('log'))
    const again = await wantedBy(setGroup('log', {}))
    expect(again.approvalId).toBe(chosen.approvalId)
    expect((await policyOf(it)).pendingApprovals).toMatchObject([{ applyWhenApproved: false }])
    await wantedBy(setGroup('log'))
    expect(await approve(chosen)).toMatchObject({ state: 'used' })
    await setGroup(null)
  })

  test('who may no longer make the change does not make it by an approval: it stays approved and says why', async () => {
    const wanted = await wantedBy(setGroup('log'))
    await setRole('viewer')
    const refused = await approve(wanted)
    expect(refused).toMatchObject({ state: 'approved', notApplied: { code: 'permission-denied' } })
    expect([await effective(), (await policyOf(it)).pendingApprovals[0]?.notApplied]).toEqual([
      'block',
      refused.notApplied,
    ])
    const message = refused.notApplied?.message ?? ''
    expect((await noticesOf('ann'))[0]).toEqual([
      'Your approved change of the policy of Production was not made',
      message,
    ])
    const { rows } = await it.as('ben')(gatewayRecordsApi.audit, { params: it.params })
    expect(rows[0]).toMatchObject({ action: 'approval.not-applied', actorName: 'ben', reason: message })
    await setRole('admin')
    expect(await approve(wanted)).toMatchObject({ state: 'used', notApplied: null })
    expect(await effective()).toBe('log')
    await setGroup(null)
  })

  test('a request for an older version of the policy is neither approved nor made', async () => {
    const rule = { name: 'Office', action: 'allow' as const, expression: 'ip.src cidr "10.0.0.0/8"' }
    const { rule: admin } = await it.as('ann')(gatewayApi.createRule, {
      params: it.params,
      body: { name: 'Admin', action: 'block', expression: 'http.path eq "/admin"' },
    })
    const path = { ...it.params, rule_id: admin.id }
    const wanted = await wantedBy(
      it.as('ann')(gatewayApi.updateRule, { params: path, body: { ...rule, applyWhenApproved: true } }),
    )
    // A change of the policy makes the request void: nothing is left to approve or to make.
    await it.as('ben')(gatewayApi.setPresets, { params: it.params, body: { bot: 'block' } })
    expect(await codeOf(approve(wanted))).toBe('approval-stale')
    expect((await policyOf(it)).rules.find(({ id }) => id === admin.id)?.action).toBe('block')
  })

  test('a key that was disabled meanwhile makes nothing', async () => {
    const path = `/v1/slate/environments/${it.environment.id}/security/managed-groups/sqli`
    const response = await it.service.handle(
      new Request(`http://localhost${path}`, {
        method: 'PUT',
        headers: { 'x-api-key': it.key, 'content-type': 'application/json' },
        body: JSON.stringify({ mode: 'log', reason: 'Key', applyWhenApproved: true }),
      }),
    )
    const { detail } = (await response.json()) as { detail: Wanted }
    const enable = (enabled: boolean) =>
      it.service.deps.db.inTransaction((tx) =>
        tx.update(apiKeys).set({ enabled }).where(eq(apiKeys.tenantId, it.tenantId)),
      )
    await enable(false)
    expect(await approve(detail)).toMatchObject({ state: 'approved', notApplied: { code: 'credentials-invalid' } })
    await enable(true)
    expect(await approve(detail)).toMatchObject({ state: 'used', requestedBy: { name: 'Key "key"' } })
    expect(await effective()).toBe('log')
    await setGroup(null)
  })

  test('where two people approve, the second makes it; also a deletion', async () => {
    const body = { approvals: { required: true, approvers_min: 2 } }
    await it.as('ann')(environmentsApi.update, { params: it.params, body })
    const wanted = await wantedBy(
      it.as('ann')(environmentsApi.remove, { params: it.params, query: { applyWhenApproved: true } }),
    )
    expect(await approve(wanted)).toMatchObject({ state: 'pending', approvals: [{ by: { name: 'ben' } }] })
    const owner = it.service.callAs(it.ownerId)
    const second = { params: it.params, body: { changeDigest: wanted.changeDigest } }
    expect(await owner(gatewayRecordsApi.approve, second)).toMatchObject({ state: 'used', approversMin: 2 })
    expect(await codeOf(policyOf(it))).toBe('environment-not-found')
  })
})
