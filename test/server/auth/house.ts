/** People, tenants and credentials for tests of identity: a house with one tenant, a foreign one, and every kind of key. */
import { clockOf, type Clock } from '../../../db/clock.ts'
import type { Database } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { agentKeys, apiKeys, licenses, mcpKeys, memberships, tenants, users } from '../../../db/tables.gen.ts'
import { AnalysisService } from '../../../server/analysis/service.ts'
import type { Deps } from '../../../server/deps.ts'
import { plansWith } from '../../../server/license/plans.ts'
import { makeKey, readKey } from '../../../server/auth/key-format.ts'
import { databaseKeys } from '../../../server/auth/public-keys.ts'
import { createTokens } from '../../../server/auth/tokens.ts'
import type { KeyScope, Role } from '../../../src/api/permissions.ts'

export const start = Date.UTC(2026, 4, 5, 12)
const at = new Date(start).toISOString()

/** A clock that tests move by hand. */
export interface HandClock extends Clock {
  value: number
}

export function handClock(): HandClock {
  const clock: { value: number } = { value: start }
  return Object.assign(
    clock,
    clockOf(() => clock.value),
  )
}

export async function addTenant(db: Database, slug: string, plan: string | null = 'team'): Promise<string> {
  const id = newId()
  await db.inTransaction(async (tx) => {
    await tx.insert(tenants).values({ id, slug, name: `Tenant ${slug}`, settings: {}, createdAt: at, updatedAt: at })
    if (plan !== null) await tx.insert(licenses).values({ tenantId: id, plan, status: 'active', attachedAt: at })
  })
  return id
}

export async function addUser(db: Database, name: string, passwordHash: string | null = null): Promise<string> {
  const id = newId()
  const row = { id, email: `${name}@example.com`, name, passwordHash, status: 'active', createdAt: at, updatedAt: at }
  await db.inTransaction((tx) => tx.insert(users).values({ ...row, status: 'active' }))
  return id
}

export async function addMember(
  db: Database,
  tenantId: string,
  userId: string,
  role: Role,
  status: 'pending' | 'active' | 'suspended' = 'active',
): Promise<void> {
  await db.inTransaction((tx) => tx.insert(memberships).values({ tenantId, userId, role, status, createdAt: at }))
}

export async function addApiKey(
  db: Database,
  tenantId: string,
  facts: { scopes?: readonly KeyScope[]; enabled?: boolean; expiresAt?: string | null } = {},
): Promise<string> {
  const key = makeKey('api')
  const { prefix, hash } = readKey(key) ?? { prefix: '', hash: '' }
  await db.inTransaction((tx) =>
    tx.insert(apiKeys).values({
      id: newId(),
      tenantId,
      name: 'key',
      description: '',
      prefix,
      keyHash: hash,
      scopes: facts.scopes ?? ['*'],
      enabled: facts.enabled ?? true,
      createdAt: at,
      expiresAt: facts.expiresAt ?? null,
    }),
  )
  return key
}

export async function addAgentKey(
  db: Database,
  tenantId: string,
  facts: { expiresAt?: string; revokedAt?: string } = {},
): Promise<string> {
  const key = makeKey('agent')
  const { prefix, hash } = readKey(key) ?? { prefix: '', hash: '' }
  await db.inTransaction((tx) =>
    tx.insert(agentKeys).values({
      id: newId(),
      tenantId,
      label: 'agent',
      prefix,
      keyHash: hash,
      toolset: 'catalog-read',
      tools: ['spec.list'],
      createdAt: at,
      expiresAt: facts.expiresAt ?? new Date(start + 30 * 24 * 3_600_000).toISOString(),
      revokedAt: facts.revokedAt ?? null,
    }),
  )
  return key
}

export async function addMcpKey(db: Database, tenantId: string): Promise<string> {
  const key = makeKey('mcp')
  const { prefix, hash } = readKey(key) ?? { prefix: '', hash: '' }
  await db.inTransaction((tx) =>
    tx.insert(mcpKeys).values({
      id: newId(),
      tenantId,
      label: 'host',
      prefix,
      keyHash: hash,
      mode: 'inherit',
      tools: [],
      createdAt: at,
    }),
  )
  return key
}

export const tokensOf = (db: Database, clock: HandClock, issuer = 'https://svc.example') =>
  createTokens({ issuer, keys: databaseKeys(db, clock), clock })

/** What features are given, over a database and a clock, without anything configured. */
export const depsOver = (db: Database, clock: Clock, given: Partial<Deps> = {}): Deps => ({
  db,
  clock,
  publicUrl: () => '',
  plans: plansWith({}),
  analysis: new AnalysisService(clock),
  embedder: null,
  wake: () => {},
  changed: () => {},
  ...given,
})

/** A request with headers, as the gatekeeper sees it. */
export const requestWith = (headers: Record<string, string>, target = '/v1/x', method = 'GET'): Request =>
  new Request(`http://localhost${target}`, { method, headers })

/** The code and detail of the refusal, or what came instead. */
export async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work
  } catch (error) {
    const { code, detail } = error as { code?: string; detail?: Record<string, unknown> }
    if (code === undefined) throw error
    return { code, ...detail }
  }
}
