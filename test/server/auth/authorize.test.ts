import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { memberships } from '../../../db/tables.gen.ts'
import { authorize } from '../../../server/auth/authorize.ts'
import { type Grant, wholeOf } from '../../../server/auth/grant.ts'
import type { Principal } from '../../../server/auth/principal.ts'
import { ensureLocalTenant } from '../../../server/auth/local-tenant.ts'
import type { Access } from '../../../src/api/endpoint.ts'
import { keyPermissions, permissionGrid, type Permission, roleHolds, roles } from '../../../src/api/permissions.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addMember, addTenant, addUser, outcome, start } from '../../fixtures/accounts.ts'

const everyone = ['user', 'api-key'] as const
const allPermissions = Object.keys(permissionGrid) as Permission[]
const user = (userId: string): Principal => ({ kind: 'user', userId, via: 'jwt' })
const anonymous: Access = { anonymous: true, reason: 'a test', credentials: 'optional' }
const known: Access = { credentials: everyone, permission: null }

onBothEngines('authorization', (makeDb) => {
  const setUp = async () => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    const other = await addTenant(db, 'other', null)
    const ask = (principal: Principal | null, access: Access, slug: string | null) =>
      outcome(authorize(db, principal, access, wholeOf(slug))) as Promise<Grant & { code?: string }>
    const apiKey = (scopes: readonly ('*' | 'diff:read' | 'lint:read')[]): Principal => ({
      kind: 'api-key',
      keyId: 'k',
      tenantId: acme,
      scopes,
    })
    return { db, acme, other, ask, apiKey }
  }

  test('every role holds exactly what the grid says', async () => {
    const { db, acme, ask } = await setUp()
    for (const role of roles) {
      const userId = await addUser(db, role)
      await addMember(db, acme, userId, role)
      for (const permission of allPermissions) {
        const answer = await ask(user(userId), { credentials: ['user'], permission }, 'acme')
        if (roleHolds(role, permission)) expect(answer).toMatchObject({ role, tenant: { id: acme, slug: 'acme' } })
        else expect(answer).toEqual({ code: 'permission-denied', permission } as never)
      }
    }
  })

  test('a full key holds all but what needs a person', async () => {
    const { ask, apiKey } = await setUp()
    for (const permission of allPermissions) {
      const answer = await ask(apiKey(['*']), { credentials: everyone, permission }, 'acme')
      expect([permission, answer.code ?? 'granted']).toEqual([
        permission,
        keyPermissions.has(permission) ? 'granted' : 'permission-denied',
      ])
    }
    expect(allPermissions.filter((it) => !keyPermissions.has(it)).sort()).toEqual([
      'api_keys:create',
      'api_keys:delete',
      'api_keys:edit',
      'api_keys:view',
      'bin:delete',
      'mcp:govern',
      'members:edit',
      'projects:share',
      'reviews:decide',
      'security:approve',
      'tenant:delete',
      'tenant:transfer',
    ])
  })

  test('a narrow key reaches only the operations that name its scope', async () => {
    const { ask, apiKey } = await setUp()
    const diff: Access = { credentials: everyone, permission: 'versions:view', keyScope: 'diff:read' }
    const edit: Access = { credentials: everyone, permission: 'versions:edit' }
    const lint: Access = { ...edit, keyScope: 'lint:read' }
    expect((await ask(apiKey(['lint:read']), lint, 'acme')).tenant?.slug).toBe('acme')
    expect((await ask(apiKey(['diff:read']), diff, 'acme')).tenant?.slug).toBe('acme')
    expect((await ask(apiKey(['diff:read', 'lint:read']), diff, 'acme')).role).toBeNull()
    const denied = (scopes: string[]) => ({ code: 'scope-denied', scopes }) as never
    expect(await ask(apiKey(['lint:read']), diff, 'acme')).toEqual(denied(['lint:read']))
    expect(await ask(apiKey(['diff:read']), edit, 'acme')).toEqual(denied(['diff:read']))
    expect(await ask(apiKey(['diff:read', 'lint:read']), known, null)).toEqual(denied(['diff:read', 'lint:read']))
    expect(await ask(apiKey([]), known, 'acme')).toEqual(denied([]))
  })

  test('kinds of credentials: what is for people says so, the rest names the scope', async () => {
    const { acme, ask, apiKey } = await setUp()
    const people: Access = { credentials: ['user'], permission: null }
    expect(await ask(apiKey(['*']), people, 'acme')).toEqual({ code: 'person-required' } as never)
    const agent: Principal = { kind: 'agent-key', keyId: 'a', tenantId: acme, tools: [] }
    const mcp: Principal = { kind: 'mcp-key', keyId: 'm', tenantId: acme }
    expect(await ask(agent, known, 'acme')).toEqual({ code: 'scope-denied', scopes: ['agent-key'] } as never)
    expect(await ask(mcp, known, 'acme')).toEqual({ code: 'scope-denied', scopes: ['mcp-key'] } as never)
    const reading: Access = { credentials: ['agent-key', 'mcp-key'], permission: 'versions:view' }
    const writing: Access = { credentials: ['agent-key', 'mcp-key'], permission: 'versions:edit' }
    for (const principal of [agent, mcp]) {
      expect((await ask(principal, reading, 'acme')).tenant?.id).toBe(acme)
      expect(await ask(principal, writing, 'acme')).toEqual({
        code: 'permission-denied',
        permission: 'versions:edit',
      } as never)
    }
  })

  test('an agent key reaches the operations of its own tools, with what they need', async () => {
    const { acme, ask } = await setUp()
    const agent: Principal = { kind: 'agent-key', keyId: 'a', tenantId: acme, tools: ['lint.preflight'] }
    const writing = (agentTool: 'lint.preflight' | 'import.create'): Access => ({
      credentials: everyone,
      permission: 'versions:edit',
      agentTool,
    })
    expect((await ask(agent, writing('lint.preflight'), 'acme')).tenant?.slug).toBe('acme')
    expect(await ask(agent, writing('import.create'), 'acme')).toEqual({
      code: 'capability_disabled',
      tool: 'import.create',
    } as never)
  })

  test('tenants: unknown, foreign, pending, suspended, and reinstated at once', async () => {
    const { db, acme, ask, apiKey } = await setUp()
    const userId = await addUser(db, 'ann')
    const denied = (tenant: string) => ({ code: 'tenant-access-denied', tenant }) as never
    expect(await ask(null, known, 'acme')).toEqual({ code: 'credentials-missing' } as never)
    expect(await ask(null, known, 'nowhere')).toEqual({ code: 'credentials-missing' } as never)
    expect(await ask(user(userId), known, 'nowhere')).toEqual({ code: 'tenant-not-found', tenant: 'nowhere' } as never)
    expect(await ask(apiKey(['*']), known, 'nowhere')).toEqual({ code: 'tenant-not-found', tenant: 'nowhere' } as never)
    expect(await ask(user(userId), known, 'acme')).toEqual(denied('acme'))
    expect(await ask(apiKey(['*']), known, 'other')).toEqual(denied('other'))
    await addMember(db, acme, userId, 'owner', 'pending')
    expect(await ask(user(userId), known, 'acme')).toEqual(denied('acme'))
    const become = (status: 'active' | 'suspended') =>
      db.inTransaction((tx) => tx.update(memberships).set({ status }).where(eq(memberships.userId, userId)))
    await become('active')
    expect((await ask(user(userId), known, 'acme')).role).toBe('owner')
    await become('suspended')
    expect(await ask(user(userId), known, 'acme')).toEqual({ code: 'membership-suspended' } as never)
    await become('active')
    expect((await ask(user(userId), known, 'acme')).role).toBe('owner')
  })

  test('paths without tenant: the tenant of the key, or the only one of a person', async () => {
    const { db, acme, other, ask, apiKey } = await setUp()
    const userId = await addUser(db, 'ann')
    const viewing: Access = { credentials: everyone, permission: 'versions:view' }
    expect((await ask(apiKey(['*']), viewing, null)).tenant).toEqual({
      id: acme,
      slug: 'acme',
      name: 'Tenant acme',
      plan: 'team',
    })
    const refused = { code: 'permission-denied', permission: 'versions:view' } as never
    expect(await ask(user(userId), viewing, null)).toEqual(refused)
    expect((await ask(user(userId), known, null)).tenant).toBeNull()
    await addMember(db, acme, userId, 'viewer')
    expect((await ask(user(userId), viewing, null)).tenant?.slug).toBe('acme')
    await addMember(db, other, userId, 'viewer', 'suspended')
    expect((await ask(user(userId), viewing, null)).tenant?.slug).toBe('acme')
    await db.inTransaction((tx) => tx.update(memberships).set({ status: 'active' }))
    expect(await ask(user(userId), viewing, null)).toEqual(refused)
  })

  test('a decorative tenant: that of the key, the one a person is a member of, or their only one', async () => {
    const { db, acme, other, ask, apiKey } = await setUp()
    const userId = await addUser(db, 'ann')
    const decorative: Access = { credentials: everyone, permission: 'versions:view', tenancy: 'credential' }
    const denied = { code: 'tenant-access-denied', tenant: 'other' } as never
    expect((await ask(apiKey(['*']), decorative, 'other')).tenant?.slug).toBe('acme')
    expect(await ask(user(userId), decorative, 'other')).toEqual(denied)
    expect(await ask(user(userId), decorative, null)).toEqual({ code: 'tenant-access-denied', tenant: '' } as never)
    await addMember(db, acme, userId, 'viewer')
    for (const slug of ['acme', 'other', 'nowhere', null])
      expect([slug, (await ask(user(userId), decorative, slug)).tenant?.slug]).toEqual([slug, 'acme'])
    await addMember(db, other, userId, 'viewer', 'suspended')
    expect(await ask(user(userId), decorative, 'other')).toEqual({ code: 'membership-suspended' } as never)
    await db.inTransaction((tx) => tx.update(memberships).set({ status: 'active' }))
    expect((await ask(user(userId), decorative, 'other')).tenant?.slug).toBe('other')
    expect(await ask(user(userId), decorative, 'nowhere')).toEqual({
      code: 'tenant-access-denied',
      tenant: 'nowhere',
    } as never)
    expect(await ask(user(userId), decorative, null)).toEqual({ code: 'tenant-unnamed', count: 2 } as never)
  })

  test('the key of a gateway reaches the operations of gateways, with no permission', async () => {
    const { acme, ask } = await setUp()
    const gateway: Principal = { kind: 'gateway-key', keyId: 'k', tenantId: acme }
    const own: Access = { credentials: ['gateway-key'], permission: null }
    const grant = await ask(gateway, own, null)
    expect([grant.tenant?.slug, [...grant.permissions]]).toEqual(['acme', []])
    const refused = { code: 'scope-denied', scopes: ['gateway-key'] } as never
    expect([await ask(gateway, known, null), await ask(gateway, anonymous, 'acme')]).toEqual([refused, refused])
  })

  test('without need of credentials: the tenant with what the caller holds there', async () => {
    const { db, acme, ask, apiKey } = await setUp()
    const userId = await addUser(db, 'ann')
    const size = async (principal: Principal | null, slug: string | null) => {
      const grant = await ask(principal, anonymous, slug)
      return [grant.tenant?.slug ?? null, grant.permissions.size > 0]
    }
    expect(await size(null, null)).toEqual([null, false])
    expect(await size(null, 'nowhere')).toEqual([null, false])
    expect(await size(null, 'acme')).toEqual(['acme', false])
    expect(await size(user(userId), 'acme')).toEqual(['acme', false])
    await addMember(db, acme, userId, 'viewer')
    expect(await size(user(userId), 'acme')).toEqual(['acme', true])
    const invited = await addUser(db, 'bob')
    await addMember(db, acme, invited, 'viewer', 'pending')
    expect(await size(user(invited), 'acme')).toEqual(['acme', false])
    expect(await size(apiKey(['*']), 'acme')).toEqual(['acme', true])
    expect(await size(apiKey(['diff:read']), 'acme')).toEqual(['acme', false])
    expect(await size(apiKey(['*']), 'other')).toEqual(['other', false])
  })

  test('the local tenant is made once when several callers race', async () => {
    const db = await makeDb()
    const made = await Promise.all(Array.from({ length: 5 }, () => ensureLocalTenant(db, start)))
    expect(new Set(made.map((it) => `${it.tenantId} ${it.ownerId}`)).size).toBe(1)
    const [first] = made
    expect(await ensureLocalTenant(db, start + 1)).toEqual(first as never)
    const owner: Principal = { kind: 'user', userId: first?.ownerId ?? '', via: 'local' }
    const grant = await authorize(db, owner, { credentials: ['user'], permission: 'tenant:delete' }, wholeOf('local'))
    expect(grant.tenant).toEqual({ id: first?.tenantId ?? '', slug: 'local', name: 'Local workspace', plan: 'local' })
  })
})
