import { expect, test } from 'bun:test'
import { licenses, projects } from '../../../db/tables.gen.ts'
import { plansWith } from '../../../server/license/plans.ts'
import { ensureLocalTenant } from '../../../server/auth/local-tenant.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addApiKey, addMember, addTenant, start } from '../../fixtures/accounts.ts'
import { addPerson, brief, startIdentityService } from '../../fixtures/identity-service.ts'

const at = new Date(start).toISOString()

onBothEngines('tenants', (makeDb) => {
  const setUp = async (settings: Parameters<typeof startIdentityService>[1] = {}) => {
    const service = startIdentityService(await makeDb(), settings)
    const { db } = service
    const acme = await addTenant(db, 'acme')
    const bare = await addTenant(db, 'bare', null)
    const ann = await addPerson(db, 'ann')
    await addMember(db, bare, ann, 'viewer', 'suspended')
    await addMember(db, acme, ann, 'owner')
    const headers = await service.bearer(ann)
    const key = { 'x-api-key': await addApiKey(db, acme) }
    return { ...service, acme, bare, ann, headers, key }
  }
  const team = { slug: 'team', name: 'Team', status: 'active', attached_at: at, renews_at: null }

  test('a person has all memberships with role, status and plan; a key its one tenant as member', async () => {
    const { ask, acme, bare, headers, key } = await setUp()
    const own = { tenant_id: acme, slug: 'acme', name: 'Tenant acme', plan: team }
    const mine = await ask('GET /v1/tenants/me', { headers })
    expect(mine.body).toEqual({
      items: [
        { ...own, role: 'owner', status: 'active' },
        { tenant_id: bare, slug: 'bare', name: 'Tenant bare', role: 'viewer', status: 'suspended', plan: null },
      ],
      total: 2,
      limit: 50,
      offset: 0,
    })
    const keyed = await ask('GET /v1/tenants/me', { headers: key })
    const member = { ...own, role: 'member', status: 'active' }
    expect(keyed.body).toEqual({ items: [member], total: 1, limit: 50, offset: 0 })
    const page = await ask('GET /v1/tenants/me?limit=1&offset=1', { headers })
    expect([page.body.items.length, page.body.items[0].slug, page.body.total]).toEqual([1, 'bare', 2])
    expect((await ask('GET /v1/tenants/me?limit=1&offset=1', { headers: key })).body).toMatchObject({
      items: [],
      total: 1,
    })
    expect((await ask('GET /v1/tenants/me?limit=0', { headers })).status).toBe(422)
    expect(brief(await ask('GET /v1/tenants/me'))).toEqual([401, 'credentials-missing'])
  })

  test('a tenant with its counts; HEAD is the same without body', async () => {
    const { ask, db, acme, headers, key } = await setUp()
    await db.inTransaction((tx) =>
      tx.insert(projects).values({ id: 'p', tenantId: acme, slug: 'p', name: 'P', createdAt: at, updatedAt: at }),
    )
    const info = {
      slug: 'acme',
      name: 'Tenant acme',
      plan: 'team',
      created_at: at,
      members_count: 1,
      projects_count: 1,
      versions_count: 0,
      published_versions_count: 0,
      storage_used_bytes: 0,
      storage_quota_bytes: 20 * 1024 ** 3,
    }
    for (const who of [headers, key]) expect((await ask('GET /v1/tenants/acme', { headers: who })).body).toEqual(info)
    const seen: unknown[] = []
    for (const [slug, who] of [
      ['acme', headers],
      ['acme', {}],
      ['bare', key],
      ['bare', headers],
      ['nowhere', headers],
    ] as const) {
      const head = await ask(`HEAD /v1/tenants/${slug}`, { headers: who })
      seen.push([slug, head.status, head.body])
    }
    expect(seen).toEqual([
      ['acme', 200, null],
      ['acme', 401, null],
      ['bare', 403, null],
      ['bare', 403, null],
      ['nowhere', 404, null],
    ])
  })

  test('the license says what the guards enforce, the free plan where none is attached', async () => {
    const { ask, db, acme, bare, headers, key } = await setUp({ plans: plansWith({ seats: 7, projects: null }) })
    const license = await ask('GET /v1/tenants/acme/license', { headers })
    expect(license.body).toMatchObject({
      plan: team,
      seats: { used: 1, pending: 0, max: 25 },
      quotas: {
        projects: { used: 0, max: 100 },
        versions: { used: 0, max: null },
        storage_bytes: { used: 0, max: 20 * 1024 ** 3 },
        repositories: { used: 0, max: 25 },
        webhooks: { used: 0, max: 25 },
        api_keys: { used: 1, max: 50 },
        mcp_keys: { used: 0, max: 50 },
        polls_per_hour: { used: 0, max: 600 },
      },
      features: [
        { key: 'agent_keys', label: 'Agent keys', enabled: true },
        { key: 'mcp_capabilities', label: 'Capabilities of MCP keys', enabled: true },
        { key: 'audit_trail', label: 'Audit trail of identity changes', enabled: true },
      ],
    })
    expect((await ask('GET /v1/tenants/acme/license', { headers: key })).status).toBe(200)
    const eve = await addPerson(db, 'eve')
    await addMember(db, bare, eve, 'admin')
    await addMember(db, acme, eve, 'editor')
    const hers = { headers: await (await setUpBearer(db))(eve) }
    const fallback = (await ask('GET /v1/tenants/bare/license', hers)).body
    expect([fallback.plan, fallback.seats, fallback.quotas.projects]).toEqual([
      null,
      { used: 2, pending: 0, max: 7 },
      { used: 0, max: null },
    ])
    expect(brief(await ask('GET /v1/tenants/acme/license', hers))).toEqual([403, 'permission-denied'])
    expect(brief(await ask('GET /v1/tenants/nowhere/license', hers))).toEqual([404, 'tenant-not-found'])
    await db.inTransaction((tx) => tx.update(licenses).set({ status: 'cancelled' }))
    expect((await ask('GET /v1/tenants/acme/license', { headers })).body.plan.status).toBe('cancelled')
  })

  test('the local workspace has no caps', async () => {
    const { ask, db, bearer } = await setUp()
    const { ownerId } = await ensureLocalTenant(db, start)
    const { body } = await ask('GET /v1/tenants/local/license', { headers: await bearer(ownerId) })
    expect([body.plan.slug, body.seats.max]).toEqual(['local', null])
    expect(Object.values(body.quotas).every((it) => (it as { max: unknown }).max === null)).toBe(true)
  })

  test('a tenant is renamed by its administrators, and the trail says so', async () => {
    const { ask, headers, key, ann } = await setUp()
    const rename = async (name: string, who: Record<string, string>) =>
      brief(await ask('PATCH /v1/tenants/acme', { headers: who, body: { name } }))
    expect(await rename(' New   name ', headers)).toMatchObject([200, { name: 'New name', slug: 'acme' }])
    expect(await rename('', headers)).toEqual([400, 'organization-name-invalid'])
    expect(await rename('x', key)).toEqual([403, 'person-required'])
    const trail = await ask('GET /v1/tenants/acme/audit-events', { headers })
    expect(trail.body).toEqual({
      items: [
        {
          id: expect.any(String),
          actor_kind: 'user',
          actor_id: ann,
          actor_name: 'ann',
          means: 'token',
          action: 'tenant.renamed',
          target_id: expect.any(String),
          target_name: 'New name',
          target_url: null,
          detail: { from: 'Tenant acme', to: 'New name' },
          created_at: at,
        },
      ],
      total: 1,
      limit: 100,
      offset: 0,
    })
    const later = new Date(Date.parse(at) + 1).toISOString()
    for (const [query, total] of [
      ['action=member.left', 0],
      ['action=tenant.*', 1],
      ['action=ten.*', 0],
      ['action=%25.*', 0],
      [`actor=${ann}`, 1],
      ['actor=unknown', 0],
      [`since=${at}`, 1],
      [`since=${later}`, 0],
      [`until=${at}`, 0],
      [`until=${later}&action=tenant.*&actor=${ann}`, 1],
      [`until=${later}&action=tenant.*&actor=unknown`, 0],
    ] as const) {
      const found = await ask(`GET /v1/tenants/acme/audit-events?${query}`, { headers })
      expect([query, found.body.total, found.body.items.length]).toEqual([query, total, total])
    }
    expect(brief(await ask('GET /v1/tenants/acme/audit-events', { headers: key }))).toEqual([403, 'person-required'])
  })
})

/** Bearers of people added later, from a second replica on the same data. */
const setUpBearer = async (db: Parameters<typeof startIdentityService>[0]) => startIdentityService(db).bearer
