/** Keys of every kind as rows of one list. */
import { agentKeysApi } from '../../src/api/agent-keys.ts'
import type { Call } from '../../src/api/endpoint.ts'
import { mcpKeysApi } from '../../src/api/mcp-keys.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { withIdentity } from '../user/shared.ts'

export const keyKinds = ['api', 'agent', 'mcp'] as const
export type KeyKind = (typeof keyKinds)[number]

/** What keys of all kinds have. */
export interface KeyOfAnyKind {
  readonly kind: KeyKind
  readonly id: string
  readonly label: string
  readonly prefix: string
  readonly status: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

const pageSize = 200

/** All pages of a list. */
async function allOf<T>(
  page: (query: { readonly limit: number; readonly offset: number }) => Promise<{
    readonly items: readonly T[]
    readonly total: number
  }>,
): Promise<readonly T[]> {
  const all: T[] = []
  for (;;) {
    const { items, total } = await page({ limit: pageSize, offset: all.length })
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

async function apiKeys(invocation: Invocation<unknown, unknown>): Promise<readonly KeyOfAnyKind[]> {
  const { listKeysOnMachine } = await import('../../server/keys/on-machine.ts')
  const keys = await withIdentity(invocation, (store) => listKeysOnMachine(store, invocation.globals.tenant ?? 'local'))
  return keys.map(({ id, name, prefix, status, created_at, expires_at, last_used_at }) => ({
    kind: 'api',
    id,
    label: name,
    prefix,
    status,
    created_at,
    expires_at,
    last_used_at,
  }))
}

async function agentKeys(call: Call, tenant: string): Promise<readonly KeyOfAnyKind[]> {
  const params = { tenant_slug: tenant }
  const keys = await allOf((query) => call(agentKeysApi.list, { params, query }))
  return keys.map(({ id, label, prefix, status, created_at, expires_at, last_used_at }) => ({
    kind: 'agent',
    id,
    label,
    prefix,
    status,
    created_at,
    expires_at,
    last_used_at,
  }))
}

async function mcpKeys(call: Call, tenant: string): Promise<readonly KeyOfAnyKind[]> {
  const params = { tenant_slug: tenant }
  const keys = await allOf((query) => call(mcpKeysApi.list, { params, query }))
  return keys.map(({ id, label, prefix, created_at, last_used_at }) => ({
    kind: 'mcp',
    id,
    label,
    prefix,
    status: 'active',
    created_at,
    expires_at: null,
    last_used_at,
  }))
}

/**
 * The keys of a kind.
 * @throws SvcError `permission-denied` for a person who may not see them; `usage` for API keys with --base-url, which only the machine
 *   that has the data lists
 */
export async function keysOf(
  kind: KeyKind,
  invocation: Invocation<unknown, unknown>,
): Promise<readonly KeyOfAnyKind[]> {
  if (kind === 'api') return apiKeys(invocation)
  const connection = await invocation.connection()
  return (kind === 'agent' ? agentKeys : mcpKeys)(connection.call, await connection.tenant())
}

/** Whether other kinds are listed all the same: what a person may not see says nothing of the rest. */
export const isUnseen = (error: unknown): error is SvcError =>
  error instanceof SvcError && (error.code === 'permission-denied' || error.code === 'usage')
