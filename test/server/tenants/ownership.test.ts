/** Giving a tenant away, and deleting it with everything in it. */
import { wholeOf } from '../../../server/auth/grant.ts'
import { expect, test } from 'bun:test'
import { eq, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import * as declared from '../../../db/tables.gen.ts'
import { auditEvents, memberships, tenants } from '../../../db/tables.gen.ts'
import { tenantsApi } from '../../../src/api/tenants.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addAgentKey, addApiKey, addMcpKey, addMember, addTenant, outcome } from '../../fixtures/accounts.ts'
import { addPerson, brief, startIdentityService } from '../../fixtures/identity-service.ts'
import { startService as startWhole } from '../../fixtures/service.ts'
import { transferOwnership } from '../../../server/tenants/ownership.ts'
import { seedSample } from '../../../server/sample/seed.ts'

onBothEngines('ownership of a tenant', (makeDb) => {
  const setUp = async () => {
    const service = startIdentityService(await makeDb())
    const acme = await addTenant(service.db, 'acme')
    const people: Record<string, string> = {}
    for (const [name, role, status] of [
      ['ann', 'owner', 'active'],
      ['adam', 'admin', 'active'],
      ['eva', 'editor', 'active'],
      ['pia', 'viewer', 'pending'],
      ['sue', 'viewer', 'suspended'],
    ] as const) {
      people[name] = await addPerson(service.db, name)
      await addMember(service.db, acme, people[name], role, status)
    }
    const as = async (name: string, line: string, body?: object) =>
      service.ask(line, { headers: await service.bearer(people[name] ?? ''), ...(body ? { body } : {}) })
    const roles = async () => {
      const rows = await service.db.read.select().from(memberships).where(eq(memberships.tenantId, acme))
      return Object.fromEntries(
        rows.map((row) => [Object.keys(people).find((name) => people[name] === row.userId), row.role]),
      )
    }
    return { ...service, acme, people, as, roles }
  }
  const transfer = 'POST /v1/tenants/acme/ownership-transfer'

  test('goes to an active member; the giver becomes Admin', async () => {
    const { as, people, roles, db } = await setUp()
    const before = await roles()
    for (const name of ['adam', 'eva'])
      expect(brief(await as(name, transfer, { user_id: people[name] }))).toEqual([403, 'permission-denied'])
    for (const name of ['ann', 'sue'])
      expect(brief(await as('ann', transfer, { user_id: people[name] }))).toEqual([409, 'transfer-invalid'])
    // No answer says whose account was invited.
    expect(brief(await as('ann', transfer, { user_id: people.pia }))).toEqual([404, 'member-not-found'])
    expect(brief(await as('ann', transfer, { user_id: 'nobody' }))).toEqual([404, 'member-not-found'])
    expect(await roles()).toEqual(before)
    const done = await as('ann', transfer, { user_id: people.eva })
    expect([done.status, done.body.owner.role, done.body.owner.user_id, done.body.previous.role]).toEqual([
      200,
      'owner',
      people.eva,
      'admin',
    ])
    expect(await roles()).toEqual({ ...before, ann: 'admin', eva: 'owner' })
    expect(brief(await as('ann', transfer, { user_id: people.ann }))).toEqual([403, 'permission-denied'])
    expect((await db.read.select().from(auditEvents)).map((it) => [it.action, it.detail])).toEqual([
      ['tenant.ownership-transferred', { from: 'ann@example.com', to: 'eva@example.com' }],
    ])
  })

  test('of two transfers at once one happens', async () => {
    const { as, people, roles } = await setUp()
    const answers = await Promise.all([
      as('ann', transfer, { user_id: people.adam }),
      as('ann', transfer, { user_id: people.eva }),
    ])
    expect(answers.map((it) => it.status).sort((a, b) => a - b)).toEqual([200, 403])
    expect(Object.values(await roles()).filter((role) => role === 'owner')).toHaveLength(1)
  })

  test('who gave it away since the request was let in cannot give it again', async () => {
    const { as, people, identity, db, acme, roles } = await setUp()
    const stale = await identity.gatekeeper.authorize(
      { kind: 'user', userId: people['ann'] ?? '', via: 'jwt' },
      { credentials: ['user'], permission: 'tenant:transfer' },
      wholeOf('acme'),
    )
    await as('ann', transfer, { user_id: people.eva })
    expect(await outcome(transferOwnership(identity, stale, people['adam'] ?? ''))).toEqual({
      code: 'permission-denied',
      permission: 'tenant:transfer',
    })
    expect(await roles()).toMatchObject({ ann: 'admin', eva: 'owner', adam: 'admin' })
    expect(await db.read.select().from(tenants).where(eq(tenants.id, acme))).toHaveLength(1)
  })

  test('an Owner deletes the tenant; its keys and members are gone with it, what was done stays told', async () => {
    const { as, ask, db, acme, people } = await setUp()
    const keys = [await addApiKey(db, acme), await addAgentKey(db, acme), await addMcpKey(db, acme)]
    for (const name of ['adam', 'eva'])
      expect(brief(await as(name, 'DELETE /v1/tenants/acme'))).toEqual([403, 'permission-denied'])
    expect(brief(await ask('DELETE /v1/tenants/acme', { headers: { 'x-api-key': keys[0] ?? '' } }))).toEqual([
      403,
      'person-required',
    ])
    expect((await as('ann', 'DELETE /v1/tenants/acme')).status).toBe(204)
    for (const key of keys) expect((await ask('GET /v1/auth/me', { headers: { 'x-api-key': key } })).status).toBe(401)
    expect(brief(await as('ann', 'GET /v1/tenants/acme'))).toEqual([404, 'tenant-not-found'])
    expect((await as('ann', 'GET /v1/tenants/me')).body.total).toBe(0)
    expect(await db.read.select().from(memberships)).toEqual([])
    const [last] = (await db.read.select().from(auditEvents)).slice(-1)
    expect([last?.action, last?.tenantId, last?.actorId, last?.detail]).toEqual([
      'tenant.deleted',
      acme,
      people.ann ?? '',
      { slug: 'acme', name: 'Tenant acme' },
    ])
    // The name is free again.
    const again = await as('ann', 'POST /v1/onboarding/first-tenant', { name: 'Acme' })
    expect([again.status, again.body.tenant.slug]).toEqual([201, 'acme'])
  })

  test('with projects, published versions and what can be searched; the workspace itself is not deleted', async () => {
    const db = await makeDb()
    const { service, ownerId, get, faults } = await startWhole(db)
    const acme = await addTenant(db, 'acme', 'enterprise')
    await addMember(db, acme, ownerId, 'owner')
    const call = service.callAs(ownerId)
    await seedSample(call, 'acme')
    const page = '/v1/schema/acme/bookshop/latest'
    const before = await get(page)
    expect(before.status).toBe(200)
    await call(tenantsApi.remove, { params: { tenant_slug: 'acme' } })
    // No answer says whether a tenant exists.
    expect((await get(page)).status).toBe(401)
    expect((await db.read.select().from(tenants)).map((it) => it.slug)).toEqual(['local'])
    const refused = await call(tenantsApi.remove, { params: { tenant_slug: 'local' } }).catch(
      (error: { code?: string }) => error.code,
    )
    expect(refused).toBe('tenant-protected')
    expect(faults).toEqual([])
    await service.stop()
  })
})

test('every table of a tenant goes with it: a chain of cascading keys leads from each to the tenant', () => {
  /** Tables whose rows outlive the tenant, each with the reason. */
  const waived: Readonly<Record<string, string>> = {
    audit_events: 'What was done stays recorded.',
    object_removals: 'The objects of an organization are removed after it is gone.',
    deletions: 'What is deleted in parts is hidden until the end; its row goes with the last part.',
  }
  const tables = Object.values(declared as Record<string, unknown>).filter((it): it is PgTable => is(it, PgTable))
  const goes = new Map<string, boolean>([['tenants', true]])
  const leads = (table: PgTable): boolean => {
    const { name, foreignKeys } = getTableConfig(table)
    const known = goes.get(name)
    if (known !== undefined) return known
    goes.set(name, false)
    const result = foreignKeys.some((key) => key.onDelete === 'cascade' && leads(key.reference().foreignTable))
    goes.set(name, result)
    return result
  }
  const stays = tables
    .filter((table) => 'tenantId' in table && !leads(table))
    .map((table) => getTableConfig(table).name)
    .filter((name) => waived[name] === undefined)
  expect(stays).toEqual([])
})
