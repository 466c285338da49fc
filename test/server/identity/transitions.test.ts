/** Every transition of sections 3.1 to 3.3, tried from every state. */
import { expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { apiKeys, invitations, memberships, onboardingEvents, wizardStates } from '../../../db/tables.gen.ts'
import { wizardSteps } from '../../../src/api/onboarding.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addMember, start } from '../../fixtures/accounts.ts'
import { makeScenario } from './scenario.ts'

const dayMs = 24 * 3_600_000
const keys = '/_app/tenants/acme/api-keys'

onBothEngines('transitions', (makeDb) => {
  test('3.1 API key: every trigger from every status', async () => {
    const scenario = await makeScenario(await makeDb())
    const { as, ask, clock, db } = scenario
    const states = ['active', 'disabled', 'expired', 'disabled and expired', 'deleted'] as const
    const triggers = ['enable', 'disable', 'rename', 'set scopes', 'rotate', 'expiry', 'delete', 'call'] as const
    const outcomes: Record<string, string> = {}
    for (const state of states) {
      for (const trigger of triggers) {
        clock.value = start
        const made = await as('owner in a browser', `POST ${keys}`, { name: 'CI', expires_in_days: 1 })
        const { id, key } = made.body as { id: string; key: string }
        if (state.startsWith('disabled')) await as('owner in a browser', `PATCH ${keys}/${id}`, { enabled: false })
        if (state.endsWith('expired')) clock.value = start + dayMs
        if (state === 'deleted') await as('owner in a browser', `DELETE ${keys}/${id}`)
        const attempt = {
          enable: () => as('owner in a browser', `PATCH ${keys}/${id}`, { enabled: true }),
          disable: () => as('owner in a browser', `PATCH ${keys}/${id}`, { enabled: false }),
          rename: () => as('owner in a browser', `PATCH ${keys}/${id}`, { name: 'other' }),
          'set scopes': () => as('owner in a browser', `PATCH ${keys}/${id}`, { scopes: ['*'] }),
          rotate: () => as('owner in a browser', `POST ${keys}/${id}/rotate`, { grace: '7d' }),
          expiry: async () => {
            clock.value = start + dayMs
            return null
          },
          delete: () => as('owner in a browser', `DELETE ${keys}/${id}`),
          call: () => ask('GET /v1/tenants/me', { headers: { 'x-api-key': key } }),
        }[trigger]
        const answer = await attempt()
        const [row] = await db.read.select().from(apiKeys).where(eq(apiKeys.id, id))
        const isExpired = row?.expiresAt !== null && (row?.expiresAt ?? '') <= new Date(clock.value).toISOString()
        const now = row === undefined ? 'deleted' : isExpired ? 'expired' : row.enabled ? 'active' : 'disabled'
        const said =
          answer === null
            ? ''
            : ` (${answer.status}${answer.body?.detail?.code === undefined ? '' : ` ${answer.body.detail.code}`})`
        outcomes[`${state}, ${trigger}`] = `${now}${said}`
        await db.inTransaction((tx) => tx.delete(apiKeys).where(eq(apiKeys.name, 'CI')))
        await db.inTransaction((tx) => tx.delete(apiKeys).where(eq(apiKeys.name, 'other')))
      }
    }
    expect(outcomes).toEqual({
      'active, enable': 'active (200)',
      'active, disable': 'disabled (200)',
      'active, rename': 'active (200)',
      'active, set scopes': 'active (422)',
      'active, rotate': 'active (201)',
      'active, expiry': 'expired',
      'active, delete': 'deleted (204)',
      'active, call': 'active (200)',
      'disabled, enable': 'active (200)',
      'disabled, disable': 'disabled (200)',
      'disabled, rename': 'disabled (200)',
      'disabled, set scopes': 'disabled (422)',
      'disabled, rotate': 'disabled (201)',
      'disabled, expiry': 'expired',
      'disabled, delete': 'deleted (204)',
      'disabled, call': 'disabled (401 credentials-invalid)',
      'expired, enable': 'expired (409 api-key-expired)',
      'expired, disable': 'expired (200)',
      'expired, rename': 'expired (200)',
      'expired, set scopes': 'expired (422)',
      'expired, rotate': 'expired (409 api-key-expired)',
      'expired, expiry': 'expired',
      'expired, delete': 'deleted (204)',
      'expired, call': 'expired (401 credentials-invalid)',
      'disabled and expired, enable': 'expired (409 api-key-expired)',
      'disabled and expired, disable': 'expired (200)',
      'disabled and expired, rename': 'expired (200)',
      'disabled and expired, set scopes': 'expired (422)',
      'disabled and expired, rotate': 'expired (409 api-key-expired)',
      'disabled and expired, expiry': 'expired',
      'disabled and expired, delete': 'deleted (204)',
      'disabled and expired, call': 'expired (401 credentials-invalid)',
      'deleted, enable': 'deleted (404 api-key-not-found)',
      'deleted, disable': 'deleted (404 api-key-not-found)',
      'deleted, rename': 'deleted (404 api-key-not-found)',
      'deleted, set scopes': 'deleted (422)',
      'deleted, rotate': 'deleted (404 api-key-not-found)',
      'deleted, expiry': 'deleted',
      'deleted, delete': 'deleted (404 api-key-not-found)',
      'deleted, call': 'deleted (401 credentials-invalid)',
    })
  }, 60_000)

  test('3.2 membership: every trigger from every status', async () => {
    const scenario = await makeScenario(await makeDb())
    const { as, db, ids } = scenario
    const { acme = '', stranger = '' } = ids
    const own = and(eq(memberships.tenantId, acme), eq(memberships.userId, stranger))
    const triggers = {
      activate: () => as('stranger', 'POST /v1/onboarding/membership-activation', { tenant_id: acme }),
      // Signing in is nothing that changes a membership.
      'sign in': () =>
        as('nobody', 'POST /v1/auth/login', { email: 'stranger@example.com', password: 'a long enough secret' }),
      suspend: () => as('admin', 'PATCH /v1/tenants/acme/members/:stranger', { status: 'suspended' }),
      reinstate: () => as('admin', 'PATCH /v1/tenants/acme/members/:stranger', { status: 'active' }),
      'change role': () => as('admin', 'PATCH /v1/tenants/acme/members/:stranger', { role: 'viewer' }),
      invite: () => as('admin', 'POST /v1/tenants/acme/invitations', { email: 'stranger@example.com' }),
      remove: () => as('admin', 'DELETE /v1/tenants/acme/members/:stranger'),
      look: () => as('stranger', 'GET /v1/tenants/acme'),
    }
    const outcomes: Record<string, string> = {}
    for (const state of ['(none)', 'pending', 'active', 'suspended'] as const) {
      for (const [trigger, attempt] of Object.entries(triggers)) {
        await db.inTransaction(async (tx) => {
          await tx.delete(memberships).where(own)
          await tx.delete(invitations).where(eq(invitations.email, 'stranger@example.com'))
        })
        if (state !== '(none)') await addMember(db, acme, stranger, 'editor', state)
        const { status, body } = await attempt()
        const [row] = await db.read.select().from(memberships).where(own)
        const said = body?.detail?.code ?? (trigger === 'activate' ? body.status : '')
        outcomes[`${state}, ${trigger}`] = `${row?.status ?? '(none)'} (${`${status} ${said}`.trim()})`
        await db.inTransaction((tx) => tx.delete(invitations))
      }
    }
    expect(outcomes).toEqual({
      '(none), activate': '(none) (404 membership-not-found)',
      '(none), sign in': '(none) (200)',
      '(none), suspend': '(none) (404 member-not-found)',
      '(none), reinstate': '(none) (404 member-not-found)',
      '(none), change role': '(none) (404 member-not-found)',
      '(none), invite': 'pending (201)',
      '(none), remove': '(none) (404 member-not-found)',
      '(none), look': '(none) (403 tenant-access-denied)',
      'pending, activate': 'active (200 activated)',
      'pending, sign in': 'pending (200)',
      'pending, suspend': 'pending (404 member-not-found)',
      'pending, reinstate': 'pending (404 member-not-found)',
      'pending, change role': 'pending (404 member-not-found)',
      'pending, invite': 'pending (409 member-exists)',
      'pending, remove': 'pending (404 member-not-found)',
      'pending, look': 'pending (403 tenant-access-denied)',
      'active, activate': 'active (200 already-active)',
      'active, sign in': 'active (200)',
      'active, suspend': 'suspended (200)',
      'active, reinstate': 'active (200)',
      'active, change role': 'active (200)',
      'active, invite': 'active (409 member-exists)',
      'active, remove': '(none) (204)',
      'active, look': 'active (200)',
      'suspended, activate': 'suspended (403 membership-suspended)',
      'suspended, sign in': 'suspended (200)',
      'suspended, suspend': 'suspended (200)',
      'suspended, reinstate': 'active (200)',
      'suspended, change role': 'suspended (200)',
      'suspended, invite': 'suspended (409 member-exists)',
      'suspended, remove': '(none) (204)',
      'suspended, look': 'suspended (403 membership-suspended)',
    })
  }, 60_000)

  test('3.3 wizard: from every step to every step with every event; clearing; what is too old', async () => {
    const scenario = await makeScenario(await makeDb())
    const { as, db, ids, clock, bearer, ask } = scenario
    const { viewer = '' } = ids
    const wizard = '/v1/onboarding/wizard-state'
    const froms = [null, ...wizardSteps]
    for (const from of froms) {
      for (const to of wizardSteps) {
        for (const event of [undefined, null, 'reached', 'completed', 'abandoned'] as const) {
          await db.inTransaction(async (tx) => {
            await tx.delete(wizardStates)
            await tx.delete(onboardingEvents)
            if (from !== null)
              await tx
                .insert(wizardStates)
                .values({ userId: viewer, step: from, updatedAt: new Date(start).toISOString() })
          })
          const name = `${from} → ${to}, ${String(event)}`
          const put = await as('viewer', `PUT ${wizard}`, {
            step: to,
            slug: 's',
            ...(event === undefined ? {} : { event }),
          })
          const got = await as('viewer', `GET ${wizard}`)
          const events = (await db.read.select().from(onboardingEvents)).map(
            (it) => `${it.userId} ${it.step} ${it.event}`,
          )
          expect([name, put.status, got.body.step, got.body.slug, events]).toEqual([
            name,
            204,
            to,
            's',
            event === undefined || event === null ? [] : [`${viewer} ${to} ${event}`],
          ])
        }
      }
    }
    for (const from of froms) {
      await db.inTransaction(async (tx) => {
        await tx.delete(wizardStates)
        if (from !== null)
          await tx.insert(wizardStates).values({ userId: viewer, step: from, updatedAt: new Date(start).toISOString() })
      })
      clock.value = start + 30 * dayMs
      const old = await ask(`GET ${wizard}`, { headers: await bearer(viewer) })
      expect([from, old.status, old.body]).toEqual([from, 204, null])
      clock.value = start
      expect([from, (await as('viewer', `DELETE ${wizard}`)).status]).toEqual([from, 204])
      expect([from, (await as('viewer', `GET ${wizard}`)).status]).toEqual([from, 204])
    }
    // One person's position is nobody else's.
    await as('viewer', `PUT ${wizard}`, { step: 'summary' })
    expect((await as('editor', `GET ${wizard}`)).status).toBe(204)
  }, 60_000)
})
