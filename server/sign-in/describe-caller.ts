import { eq } from 'drizzle-orm'
import { isTenant } from '../../db/conditions.ts'
import { agentKeys, apiKeys, mcpKeys, memberships, tenants, trusts } from '../../db/tables.gen.ts'
import type { Identity as IdentityRecord } from '../../src/api/auth.ts'
import { keyPermissions, projectPermissions, readPermissions } from '../../src/api/permissions.ts'
import { heldInOrganization } from '../../src/api/project-access.ts'
import { SvcError } from '../../src/errors.ts'
import type { Store } from '../kit/door.ts'
import { userOf, userRecord } from '../users/door.ts'
import { editorsEditOwn, type Grant, type Principal, rolesOnProjects, tenantsClosedTo } from '../auth/door.ts'

const keyTables = { 'api-key': apiKeys, 'agent-key': agentKeys, 'mcp-key': mcpKeys } as const

/** A trust as the tokens that it gave see it. */
async function trustAsKey(db: Store['db'], id: string) {
  const [row] = await db.read.select().from(trusts).where(eq(trusts.id, id))
  return row && { id, prefix: 'svt_', name: row.name, scopes: row.scopes, expiresAt: null }
}

async function describeKey(
  deps: Store,
  principal: Exclude<Principal, { kind: 'user' | 'gateway-key' }>,
): Promise<IdentityRecord> {
  const { db } = deps
  const table = keyTables[principal.kind]
  const [stored] = await db.read.select().from(table).where(eq(table.id, principal.keyId))
  const key = stored ?? (await trustAsKey(db, principal.keyId))
  const [tenant] = await db.read.select().from(tenants).where(eq(tenants.id, principal.tenantId))
  if (key === undefined || tenant === undefined) throw new SvcError('credentials-invalid', { reason: 'unknown key' })
  const full = principal.kind === 'api-key' && principal.scopes.includes('*')
  return {
    kind: principal.kind,
    user: null,
    key: {
      id: key.id,
      prefix: key.prefix,
      name: 'name' in key ? key.name : key.label,
      scopes: 'scopes' in key ? [...key.scopes] : [],
      expires_at: 'expiresAt' in key ? key.expiresAt : null,
    },
    memberships: [
      {
        tenant_id: tenant.id,
        slug: tenant.slug,
        name: tenant.name,
        role: 'member',
        status: 'active',
        permissions: [...(full ? keyPermissions : readPermissions)].sort(),
      },
    ],
  }
}

/**
 * Who the caller is, with every membership and what it allows.
 * @throws SvcError `credentials-missing`
 */
export async function describeCaller(deps: Store, { principal }: Grant): Promise<IdentityRecord> {
  if (principal === null) throw new SvcError('credentials-missing')
  if (principal.kind === 'gateway-key') throw new SvcError('scope-denied', { scopes: [principal.kind] })
  if (principal.kind !== 'user') return describeKey(deps, principal)
  const rows = await deps.db.read
    .select({ tenant: tenants, role: memberships.role, status: memberships.status })
    .from(memberships)
    .innerJoin(tenants, isTenant(memberships.tenantId))
    .where(eq(memberships.userId, principal.userId))
    .orderBy(tenants.slug)
  const closed = principal.via === 'local' ? [] : await tenantsClosedTo(deps.db.read, principal.userId)
  const projects = new Map(
    await Promise.all(
      rows.map(
        async ({ tenant }) => [tenant.id, await rolesOnProjects(deps.db.read, tenant.id, principal.userId)] as const,
      ),
    ),
  )
  return {
    kind: 'user',
    user: userRecord(await userOf(deps.db.read, principal.userId)),
    key: null,
    memberships: rows.map(({ tenant, role, status }) => {
      const isClosed = closed.some((it) => it.id === tenant.id)
      const isOpen = status === 'active' && !isClosed
      const own = isOpen ? (projects.get(tenant.id) ?? []) : []
      // What a guest holds in lists: they have the projects below.
      const held =
        role === 'guest' ? projectPermissions.viewer : heldInOrganization(role, editorsEditOwn(tenant.settings))
      return {
        tenant_id: tenant.id,
        slug: tenant.slug,
        name: tenant.name,
        role,
        status,
        permissions: isOpen ? [...held].sort() : [],
        ...(own.length === 0 ? {} : { projects: own }),
        ...(isClosed ? { second_factor_missing: true } : {}),
      }
    }),
  }
}
