/** Risky changes need another person: never oneself, once, for this change, on this version; also with two replicas. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { environments, securityApprovals } from '../../../db/tables.gen.ts'
import { environmentsApi } from '../../../src/api/environments.ts'
import { gatewayApi } from '../../../src/api/gateway.ts'
import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { notificationsApi } from '../../../src/api/notifications.ts'
import { SvcError } from '../../../src/errors.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { codeOf, openGateway, policyOf, record, type GatewayService } from '../../fixtures/gateway.ts'
import { readersDone } from '../../fixtures/outbox.ts'
import { startService } from '../../fixtures/service.ts'

type Asked = { readonly changeDigest: string; readonly approvalId: string; readonly policyVersion: number }

onBothEngines('approvals', (makeDb) => {
  let it: GatewayService
  let target: Awaited<ReturnType<typeof makeDb.makeTarget>>
  beforeAll(async () => {
    target = await makeDb.makeTarget()
    it = await openGateway(await makeDb.open(target), true)
  })
  afterAll(async () => {
    expect(it.faults).toEqual([])
    await it.service.stop()
  })
  const log = (body: object = {}, call = it.as('ann')) =>
    call(gatewayApi.setManagedGroup, {
      params: { ...it.params, group_id: 'sqli' },
      body: { mode: 'log', reason: 'Trial', ...body },
    })
  const back = () =>
    it.as('ann')(gatewayApi.setManagedGroup, { params: { ...it.params, group_id: 'sqli' }, body: { mode: null } })
  const asked = async (work: Promise<unknown>): Promise<Asked> => {
    try {
      await work
    } catch (error) {
      if (error instanceof SvcError && error.code === 'approval-required') return error.detail as unknown as Asked
      throw error
    }
    throw new Error('no approval was required')
  }
  const approve = (who: 'ann' | 'ben' | 'eva', changeDigest: string, more: object = {}) =>
    it.as(who)(gatewayRecordsApi.approve, { params: it.params, body: { changeDigest, ...more } })

  test('the whole way: asked, seen with its preview, approved by another, used once', async () => {
    const at = new Date().toISOString()
    const match = {
      ruleRef: 'crs:942100',
      groupId: 'sqli',
      paranoia: 1,
      severity: 'critical',
      field: 'query:q',
      value: 'x',
    }
    const score = { inbound: 5, threshold: 5, detection: 2 }
    await record(it, [
      {
        id: 'e1',
        at,
        action: 'block',
        ruleRef: 'crs:942100',
        route: '/search',
        method: 'GET',
        score,
        matches: [match],
        policyVersion: 1,
        count: 7,
      },
    ])
    expect(await log({ dryRun: true })).toMatchObject({
      approvalRequired: true,
      dryRun: true,
      preview: { newlyAllowed: 7 },
    })
    const first = await asked(log())
    expect(await asked(log())).toEqual(first)
    expect((await policyOf(it)).managedGroups.find(({ id }) => id === 'sqli')?.effective).toBe('block')
    const pending = (await policyOf(it)).pendingApprovals
    expect(pending).toMatchObject([
      {
        id: first.approvalId,
        changeDigest: first.changeDigest,
        state: 'pending',
        operation: 'PUT /security/managed-groups',
        target: 'sqli',
        body: { mode: 'log', reason: 'Trial' },
        summary: ['The group SQL injection changes from the catalogue default to log: Trial.'],
        risks: ['The group SQL injection stops blocking.'],
        preview: { events: 1, considered: 7, newlyAllowed: 7 },
        requestedBy: { id: it.ids.ann, name: 'ann' },
        approvals: [],
      },
    ])
    expect([
      await codeOf(log({ approvalId: first.approvalId })),
      await codeOf(log({ approvalId: 'nothing' })),
      await codeOf(approve('ann', first.changeDigest)),
      await codeOf(approve('eva', first.changeDigest)),
      await codeOf(approve('ben', 'sha256:0')),
    ]).toEqual(['approval-required', 'approval-not-found', 'approval-self', 'permission-denied', 'approval-not-found'])
    const approved = await approve('ben', first.changeDigest, { note: 'Fine for a week' })
    expect(approved).toMatchObject({ state: 'approved', approvedBy: 'ben', note: 'Fine for a week' })
    expect([
      await codeOf(log({ approvalId: first.approvalId, reason: 'Another reason' })),
      await codeOf(log({ approvalId: first.approvalId }, it.as('ben'))),
      await codeOf(
        it.as('ann')(gatewayApi.setManagedGroup, {
          params: { ...it.params, group_id: 'xss' },
          body: { mode: 'log', reason: 'Trial', approvalId: first.approvalId },
        }),
      ),
    ]).toEqual(['approval-mismatch', 'approval-mismatch', 'approval-mismatch'])
    const done = await log({ approvalId: first.approvalId })
    expect(done).toMatchObject({ policyVersion: 2, changed: true, group: { effective: 'log' } })
    await back()
    expect(await codeOf(log({ approvalId: first.approvalId }))).toBe('approval-used')
    const { approvals } = await it.as('eva')(gatewayRecordsApi.approvals, { params: it.params })
    expect(approvals.map(({ state }) => state)).toEqual(['used'])
  })

  test('who may approve is notified of a request, and who asked of the approval', async () => {
    await readersDone(it.service.deps.db)
    const noticed = async (who: 'ann' | 'ben' | 'eva') => {
      const { notifications } = await it.as(who)(notificationsApi.list, { params: { tenant_slug: 'local' } })
      return notifications.map(({ type, payload, actor }) => [
        type,
        payload.title,
        payload.excerpt,
        payload.url,
        actor?.name,
      ])
    }
    const url = 'http://svc.test/app/t/local/-/gateway/production/approvals'
    const sentence = 'The group SQL injection changes from the catalogue default to log: Trial.'
    expect([await noticed('ann'), await noticed('ben'), await noticed('eva')]).toEqual([
      [['gateway', 'Your change of the policy of Production was approved', sentence, url, 'ben']],
      [['gateway', 'A change of the policy of Production needs approval', sentence, url, 'ann']],
      [],
    ])
  })

  test('a change of the policy makes it stale, a day makes it expire, who asked takes it back', async () => {
    const stale = await asked(log())
    await approve('ben', stale.changeDigest)
    await it.as('ben')(gatewayApi.setPresets, { params: it.params, body: { bot: 'block' } })
    expect([
      await codeOf(log({ approvalId: stale.approvalId })),
      await codeOf(approve('ben', stale.changeDigest)),
    ]).toEqual(['approval-stale', 'approval-stale'])
    const old = await asked(log())
    expect(old.changeDigest).not.toBe(stale.changeDigest)
    await approve('ben', old.changeDigest)
    const past = new Date(Date.now() - 1000).toISOString()
    await it.service.deps.db.inTransaction((tx) =>
      tx.update(securityApprovals).set({ expiresAt: past }).where(eq(securityApprovals.id, old.approvalId)),
    )
    expect([await codeOf(log({ approvalId: old.approvalId })), await codeOf(approve('ben', old.changeDigest))]).toEqual(
      ['approval-expired', 'approval-expired'],
    )
    const taken = await asked(log())
    expect([taken.changeDigest === old.changeDigest, taken.approvalId === old.approvalId]).toEqual([true, false])
    expect(await approve('ann', taken.changeDigest, { decision: 'withdraw' })).toMatchObject({ state: 'withdrawn' })
    expect([
      await codeOf(log({ approvalId: taken.approvalId })),
      await codeOf(approve('ben', taken.changeDigest)),
    ]).toEqual(['approval-withdrawn', 'approval-withdrawn'])
  })

  test('a key may ask, who created it may not approve, and only the key uses it', async () => {
    const send = async (body: object) => {
      const path = `/v1/slate/environments/${it.environment.id}/security/managed-groups/sqli`
      const headers = { 'x-api-key': it.key, 'content-type': 'application/json' }
      const init = { method: 'PUT', headers, body: JSON.stringify({ mode: 'log', reason: 'Key', ...body }) }
      const response = await it.service.handle(new Request(`http://localhost${path}`, init))
      return (await response.json()) as { detail?: Asked & { code: string }; changed?: boolean }
    }
    const { detail } = await send({})
    expect(detail?.code).toBe('approval-required')
    expect(await codeOf(approve('ann', detail?.changeDigest ?? ''))).toBe('approval-self')
    expect((await approve('ben', detail?.changeDigest ?? '')).requestedBy).toMatchObject({ name: 'Key "key"' })
    expect(await codeOf(log({ reason: 'Key', approvalId: detail?.approvalId ?? '' }))).toBe('approval-mismatch')
    expect((await send({ approvalId: detail?.approvalId })).changed).toBe(true)
    await back()
  })

  test('all that is risky asks, the rest does not', async () => {
    const { params } = it
    const ann = it.as('ann')
    const rule = (action: 'block' | 'allow' | 'skip', more: object = {}) =>
      ann(gatewayApi.createRule, {
        params,
        body: { name: action, action, expression: 'http.path eq "/a"', dryRun: true, ...more },
      })
    const until = (hours: number, field: string | null) =>
      ann(gatewayApi.createException, {
        params,
        body: {
          scope: { route: '/a', field },
          target: { groups: ['sqli'] },
          reason: 'x',
          expiresAt: new Date(Date.now() + hours * 3_600_000).toISOString(),
          dryRun: true,
        },
      })
    const presets = (body: object) => ann(gatewayApi.setPresets, { params, body: { dryRun: true, ...body } })
    const needs = async (work: Promise<{ readonly approvalRequired: boolean }>) => (await work).approvalRequired
    expect([
      await needs(rule('block')),
      await needs(rule('allow')),
      await needs(rule('allow', { enabled: false })),
      await needs(rule('skip', { groups: ['sqli'] })),
      await needs(until(23, 'query:q')),
      await needs(until(25, 'query:q')),
      await needs(until(23, null)),
      await needs(presets({ tier: 'basic' })),
      await needs(presets({ tier: 'strict' })),
      await needs(presets({ threshold: 9 })),
      await needs(presets({ bot: 'challenge' })),
    ]).toEqual([false, true, false, true, false, true, true, true, false, true, false])
  })

  test('approvals are switched off, or lowered, with an approval only', async () => {
    const set = (body: object) => it.as('ann')(environmentsApi.update, { params: it.params, body })
    expect((await set({ approvals: { required: true, approvers_min: 2 } })).approvals.approvers_min).toBe(2)
    const lowered = await asked(set({ approvals: { required: true, approvers_min: 1 } }))
    expect(await approve('ben', lowered.changeDigest)).toMatchObject({ state: 'pending', approversMin: 2 })
    const owner = it.service.callAs(it.ownerId)
    const second = await owner(gatewayRecordsApi.approve, {
      params: it.params,
      body: { changeDigest: lowered.changeDigest },
    })
    expect(second).toMatchObject({ state: 'approved', approvals: [{ by: { name: 'ben' } }, {}] })
    const body = { approvals: { required: true, approvers_min: 1 }, approvalId: lowered.approvalId }
    expect((await set(body)).approvals.approvers_min).toBe(1)
    const off = await asked(set({ approvals: { required: false } }))
    await approve('ben', off.changeDigest)
    expect((await set({ approvals: { required: false }, approvalId: off.approvalId })).approvals.required).toBe(false)
    expect(await codeOf(set({ approvals: { required: true, approvers_min: 3 } }))).toBe('approvals-need-people')
    expect((await set({ approvals: { required: true } })).approvals.required).toBe(true)
  })

  test('two replicas at once: an approval is used once, and no version is lost', async () => {
    const other = await startService(await makeDb.open(target))
    try {
      const allow = (call: ReturnType<typeof it.as>, controls: object = {}) =>
        call(gatewayApi.createRule, {
          params: it.params,
          body: { name: 'Office', action: 'allow', expression: 'ip.src cidr "10.0.0.0/8"', ...controls },
        })
      const { changeDigest, approvalId } = await asked(allow(it.as('ann')))
      await approve('ben', changeDigest)
      const before = (await policyOf(it)).policyVersion
      const calls = [it.as('ann'), other.service.callAs(it.ids.ann)]
      const used = await Promise.all(
        [...calls, ...calls].map((call) => codeOf(allow(call, { approvalId }).then(() => 'done'))),
      )
      expect(used.filter((one) => one === 'done')).toHaveLength(1)
      expect(used.filter((one) => one === 'approval-used')).toHaveLength(3)
      expect((await policyOf(it)).policyVersion).toBe(before + 1)
      const rules = Array.from({ length: 8 }, (_, index) =>
        (calls[index % 2] ?? it.as('ann'))(gatewayApi.createRule, {
          params: it.params,
          body: { name: `Rule ${index}`, action: 'block', expression: `http.path eq "/r${index}"` },
        }),
      )
      const versions = (await Promise.all(rules)).map(({ policyVersion }) => policyVersion)
      expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 8 }, (_, index) => before + 2 + index))
      const { rules: stored, policyVersion } = await policyOf(it)
      expect(stored.map(({ name }) => name).sort()).toEqual([
        'Office',
        ...Array.from({ length: 8 }, (_, index) => `Rule ${index}`),
      ])
      const conflicting = calls.map((call, index) =>
        codeOf(
          call(gatewayApi.setPresets, {
            params: it.params,
            body: { bot: index === 0 ? 'off' : 'log', expectedPolicyVersion: policyVersion },
          }).then(() => 'done'),
        ),
      )
      expect(new Set(await Promise.all(conflicting))).toEqual(new Set(['done', 'policy-version-conflict']))
      const [row] = await it.service.deps.db.read
        .select()
        .from(environments)
        .where(eq(environments.id, it.environment.id))
      expect(row?.policyVersion).toBe(policyVersion + 1)
      expect(other.faults).toEqual([])
    } finally {
      await other.service.stop()
    }
  })
})
