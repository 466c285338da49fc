/** Gateways of an environment: their keys, what each reaches, what they report, and how they are removed. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq, isNotNull } from 'drizzle-orm'
import { auditEvents, environments, gatewayEnforcers } from '../../../db/tables.gen.ts'
import { endpoints } from '../../../src/api/contracts.gen.ts'
import { environmentsApi } from '../../../src/api/environments.ts'
import { enforcersApi, selfBase } from '../../../src/api/gateway-enforcers.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addGatewayKey, addTenant, addUser, addMember } from '../../fixtures/accounts.ts'
import { codeOf, openGateway, type GatewayService } from '../../fixtures/gateway.ts'
import { gatewayState } from '../../../src/gateway/gateway-state.ts'

test('what a gateway is follows from what it reported', () => {
  const now = Date.parse('2026-05-05T12:00:00.000Z')
  const seen = (lastSeenAt: string | null, usesLatest = false, failedLatest = false) =>
    gatewayState({ lastSeenAt, usesLatest, failedLatest }, now)
  expect([
    seen(null),
    seen('2026-05-05T11:58:00.000Z', true),
    seen('2026-05-05T11:58:00.001Z', true),
    seen('2026-05-05T12:00:00.000Z'),
    seen('2026-05-05T12:00:00.000Z', false, true),
  ]).toEqual(['never-seen', 'silent', 'current', 'behind', 'failed'])
})

onBothEngines('gateways', (makeDb) => {
  let it: GatewayService
  beforeAll(async () => {
    it = await openGateway(await makeDb(), true)
  })
  afterAll(async () => {
    await it.service.stop()
  })
  const add = (label: string) =>
    it.as('ann')(enforcersApi.create, { params: it.params, body: { label, engine: 'coraza-caddy' } })
  const list = async () => (await it.as('eva')(enforcersApi.list, { params: it.params })).enforcers
  const report = async (key: string, body: object) => {
    const response = await it.get(`${selfBase}/status`, {})
    expect(response.status).toBe(405)
    const answer = await it.service.handle(
      new Request(`http://localhost${selfBase}/status`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
    return [answer.status, (await answer.json()) as { detail?: { code: string } }] as const
  }
  const engine = { kind: 'coraza-caddy', version: '2.10.0', crs: '4.25.0' }

  test('a key is shown once and stored as its digest, with the key that releases are signed with', async () => {
    const made = await add('edge-1')
    expect(made.key).toMatch(/^svg_\w{38}$/)
    expect(Buffer.from(made.publicKey, 'base64')).toHaveLength(32)
    const second = await add('edge-2')
    expect(second.publicKey).toBe(made.publicKey)
    expect((await list()).map(({ label, state, keyPrefix }) => [label, state, keyPrefix])).toEqual([
      ['edge-1', 'never-seen', made.key.slice(0, 12)],
      ['edge-2', 'never-seen', second.key.slice(0, 12)],
    ])
    const rows = await it.service.deps.db.read.select().from(gatewayEnforcers)
    expect(JSON.stringify(rows)).not.toContain(made.key)
  })

  test('it reaches its own operations alone, whatever credentials others need', async () => {
    const { key } = await add('edge-3')
    const open = endpoints.filter(({ access }) => access.anonymous === true && access.credentials !== 'optional')
    const reached: string[] = []
    for (const endpoint of endpoints) {
      if (open.includes(endpoint)) continue
      const path = endpoint.path.replaceAll(/\{\w+\}/g, it.environment.id)
      const request = new Request(`http://localhost${path}`, {
        method: endpoint.method,
        headers: { authorization: `Bearer ${key}` },
      })
      const response = await it.service.handle(request)
      const body = (await response.json().catch(() => null)) as { detail?: { code?: string } } | null
      const refused = response.status === 403 && ['scope-denied', 'person-required'].includes(body?.detail?.code ?? '')
      if (!refused) reached.push(endpoint.id)
    }
    expect(reached.filter((id) => !id.startsWith('enforcer-self.'))).toEqual([])
    expect(reached).toContain('enforcer-self.status')
  })

  test('what it reports is its own, and a new key ends the old one', async () => {
    const [first, second] = await list()
    const { key } = await it.as('ann')(enforcersApi.rotate, {
      params: { ...it.params, enforcer_id: first?.id ?? '' },
    })
    expect(await report(key, { releaseId: null, state: 'active', engine, capabilities: ['body'] })).toEqual([200, {}])
    expect(await report(key, { releaseId: null, state: 'failed', error: 'line 3', engine })).toEqual([200, {}])
    const unknown = await report(key, { releaseId: 'r1', state: 'active', engine })
    expect([unknown[0], unknown[1].detail?.code]).toEqual([404, 'release-not-found'])
    const shown = await list()
    expect(shown[0]).toMatchObject({
      state: 'behind',
      activeReleaseId: null,
      lastError: 'line 3',
      version: '2.10.0',
      crs: '4.25.0',
      capabilities: ['body'],
    })
    expect(shown[1]).toEqual(second as never)
    const again = await it.as('ann')(enforcersApi.rotate, {
      params: { ...it.params, enforcer_id: first?.id ?? '' },
    })
    expect((await report(key, { releaseId: null, state: 'starting', engine }))[1]?.detail?.code).toBe(
      'credentials-invalid',
    )
    expect(await report(again.key, { releaseId: null, state: 'starting', engine })).toEqual([200, {}])
    expect((await list())[0]).toMatchObject({ activeReleaseId: null, lastError: 'line 3' })
  })

  test('an environment is not deleted while its gateways report', async () => {
    expect(await codeOf(it.as('ann')(environmentsApi.remove, { params: it.params }))).toBe('environment-in-use')
  })

  test('to remove one needs another person, and ends its key', async () => {
    const { enforcer, key } = await add('edge-4')
    const params = { ...it.params, enforcer_id: enforcer.id }
    expect(await codeOf(it.as('eva')(enforcersApi.remove, { params }))).toBe('permission-denied')
    expect(await codeOf(it.as('ann')(enforcersApi.remove, { params }))).toBe('approval-required')
    await it.service.deps.db.inTransaction((tx) =>
      tx.update(environments).set({ approvalsRequired: false }).where(eq(environments.id, it.environment.id)),
    )
    await it.as('ann')(enforcersApi.remove, { params })
    expect((await report(key, { releaseId: null, state: 'starting', engine }))[0]).toBe(401)
    expect(await codeOf(it.as('ann')(enforcersApi.rotate, { params }))).toBe('enforcer-not-found')
    const trail = await it.service.deps.db.read
      .select()
      .from(auditEvents)
      .where(isNotNull(auditEvents.seq))
      .orderBy(auditEvents.seq)
    expect(trail.map(({ action }) => action)).toEqual([
      'environment.created',
      'enforcer.created',
      'enforcer.created',
      'enforcer.created',
      'enforcer.key-rotated',
      'enforcer.key-rotated',
      'enforcer.created',
      'approval.requested',
      'enforcer.removed',
    ])
  })

  test('an environment has at most 20, and those of other organizations are not there', async () => {
    for (let n = (await list()).length; n < 20; n++) await add(`more-${n}`)
    expect(await codeOf(add('one too many'))).toBe('security-limit-reached')
    const { db } = it.service.deps
    const other = await addTenant(db, 'other')
    const eve = await addUser(db, 'eve')
    await addMember(db, other, eve, 'owner')
    expect(await codeOf(it.service.callAs(eve)(enforcersApi.list, { params: it.params }))).toBe('environment-not-found')
    // A row that names an environment of another organization changes nothing there.
    const foreign = await addGatewayKey(db, other, 'foreign')
    expect((await report(foreign, { releaseId: null, state: 'failed', error: 'eve', engine }))[0]).toBe(200)
    expect((await list()).filter(({ lastError }) => lastError === 'eve')).toEqual([])
  })

  // The hooks of the database run before those of the group: there it would be too late to look.
  test('nothing failed beside what was asked', () => {
    expect(it.faults).toEqual([])
  })
})
