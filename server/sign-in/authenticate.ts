import { type Clock, isoOf } from '../../db/clock.ts'
import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import {
  agentKeys,
  apiKeys,
  gatewayEnforcers,
  mcpKeys,
  passwordChanges,
  trusts,
  trustTokens,
  users,
} from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { type ExternalPerson, findExternalUser } from './external-identity.ts'
import type { ExternalTokens } from './external-tokens.ts'
import {
  isEnded,
  localOwnerOf,
  looksLikeKey,
  type Principal,
  readKey,
  type ReadKey,
  readSession,
  refused,
} from '../auth/door.ts'
import type { Tokens } from './tokens.ts'
import type { Deps } from '../kit/door.ts'

/** `last_used_at` of a key is written at most this often. */
const touchEveryMs = 60_000

export interface AuthenticationDeps {
  readonly db: Database
  readonly clock: Clock
  readonly tokens: Tokens
  readonly vault: Deps['vault']
  /** Tokens of other issuers; null where none is trusted. */
  readonly external?: ExternalTokens | null
}

type KeyTable = typeof apiKeys | typeof agentKeys | typeof mcpKeys

/** Notes the use of a key. What fails here must not fail the request: the key is good and the note is a courtesy. */
async function touch(deps: AuthenticationDeps, table: KeyTable, id: string, lastUsedAt: string | null): Promise<void> {
  const now = deps.clock.now()
  const before = isoOf(now - touchEveryMs)
  if (lastUsedAt !== null && lastUsedAt > before) return
  await deps.db
    .inTransaction((tx) =>
      tx
        .update(table)
        .set({ lastUsedAt: isoOf(now) })
        .where(and(eq(table.id, id), or(isNull(table.lastUsedAt), lte(table.lastUsedAt, before)))),
    )
    .catch(() => {})
}

async function apiKeyOf(deps: AuthenticationDeps, key: ReadKey): Promise<Principal> {
  const [row] = await deps.db.read.select().from(apiKeys).where(eq(apiKeys.keyHash, key.hash))
  if (row === undefined) throw refused('unknown key')
  if (row.expiresAt !== null && row.expiresAt <= deps.clock.iso()) throw refused(`the key ${row.prefix}… has expired`)
  if (!row.enabled) throw refused(`the key ${row.prefix}… is disabled`)
  await touch(deps, apiKeys, row.id, row.lastUsedAt)
  return { kind: 'api-key', keyId: row.id, tenantId: row.tenantId, scopes: row.scopes }
}

async function agentKeyOf(deps: AuthenticationDeps, key: ReadKey): Promise<Principal> {
  const [row] = await deps.db.read.select().from(agentKeys).where(eq(agentKeys.keyHash, key.hash))
  if (row === undefined) throw refused('unknown key')
  if (row.revokedAt !== null) throw refused(`the key ${row.prefix}… is revoked`)
  if (row.expiresAt <= deps.clock.iso()) throw refused(`the key ${row.prefix}… has expired`)
  await touch(deps, agentKeys, row.id, row.lastUsedAt)
  return { kind: 'agent-key', keyId: row.id, tenantId: row.tenantId, tools: row.tools }
}

async function mcpKeyOf(deps: AuthenticationDeps, key: ReadKey): Promise<Principal> {
  const [row] = await deps.db.read.select().from(mcpKeys).where(eq(mcpKeys.keyHash, key.hash))
  if (row === undefined) throw refused('unknown key')
  await touch(deps, mcpKeys, row.id, row.lastUsedAt)
  return { kind: 'mcp-key', keyId: row.id, tenantId: row.tenantId }
}

/** What an enforcer does with its key notes when it was seen. */
async function gatewayKeyOf(deps: AuthenticationDeps, key: ReadKey): Promise<Principal> {
  const [row] = await deps.db.read
    .select({ id: gatewayEnforcers.id, tenantId: gatewayEnforcers.tenantId })
    .from(gatewayEnforcers)
    .where(eq(gatewayEnforcers.keyHash, key.hash))
  if (row === undefined) throw refused('unknown key')
  return { kind: 'gateway-key', keyId: row.id, tenantId: row.tenantId }
}

/** What a pipeline got for the token of its issuer: it acts as the trust, with what that allows now. */
async function trustOf(deps: AuthenticationDeps, key: ReadKey): Promise<Principal> {
  const [row] = await deps.db.read
    .select({ id: trusts.id, tenantId: trusts.tenantId, scopes: trusts.scopes, expiresAt: trustTokens.expiresAt })
    .from(trustTokens)
    .innerJoin(trusts, eq(trusts.id, trustTokens.trustId))
    .where(eq(trustTokens.tokenHash, key.hash))
  if (row === undefined) throw refused('the token is unknown, or its trust was removed')
  if (row.expiresAt <= deps.clock.iso()) throw refused('the token of the pipeline has expired')
  return { kind: 'api-key', keyId: row.id, tenantId: row.tenantId, scopes: row.scopes }
}

/** The token of a directory reaches its own interface and nothing else. */
const scimTokenOf = (): Promise<Principal> =>
  Promise.reject(refused('the token of a directory is taken at /scim/v2 only'))

const byKind = {
  api: apiKeyOf,
  agent: agentKeyOf,
  mcp: mcpKeyOf,
  gateway: gatewayKeyOf,
  scim: scimTokenOf,
  trust: trustOf,
}

/**
 * Whose key a text is. A wrong form or checksum is refused without asking the database.
 * @throws SvcError `credentials-invalid`
 */
export async function authenticateKey(deps: AuthenticationDeps, text: string): Promise<Principal> {
  const key = readKey(text)
  if (key === null) throw refused('the checksum of the key does not match; it may be incomplete')
  return byKind[key.kind](deps, key)
}

async function externalUser(deps: AuthenticationDeps, person: ExternalPerson): Promise<Principal> {
  const user = await findExternalUser(deps, person)
  if (user === null) throw refused('there is no account for its subject')
  if (user.status !== 'active') throw refused('its account is disabled')
  return { kind: 'user', userId: user.id, via: 'jwt' }
}

async function tokenUser(deps: AuthenticationDeps, token: string): Promise<Principal> {
  const { external } = deps
  if (external?.claims(token) === true) return externalUser(deps, await external.verify(token))
  const { userId, issuedAt, signIn } = await deps.tokens.verify(token)
  const [row] = await deps.db.read
    .select({ status: users.status, changedAt: passwordChanges.changedAt })
    .from(users)
    .leftJoin(passwordChanges, eq(passwordChanges.userId, users.id))
    .where(eq(users.id, userId))
  if (row === undefined) throw refused('its account no longer exists')
  if (row.status !== 'active') throw refused('its account is disabled')
  // Tokens count whole seconds: one issued in the second of the change is still taken.
  if (row.changedAt !== null && issuedAt + 999 < Date.parse(row.changedAt))
    throw refused('the password was changed after it was issued')
  if (signIn !== null && (await isEnded(deps.db.read, signIn))) throw refused('the sign-in it belongs to has ended')
  return { kind: 'user', userId, via: 'jwt' }
}

function bearerOf(authorization: string): string {
  const match = /^bearer +(\S+)$/i.exec(authorization)
  if (match?.[1] === undefined) throw refused('the Authorization header is not of the form "Bearer …"')
  return match[1]
}

/** The credentials that a request names: where they are, and how they are verified. */
function namedCredentials(
  deps: AuthenticationDeps,
  request: Request,
  queryKey: boolean,
): readonly { readonly place: string; readonly verify: () => Promise<Principal> }[] {
  const header = request.headers.get('x-api-key')?.trim() ?? ''
  const authorization = request.headers.get('authorization')?.trim() ?? ''
  const inQuery = queryKey ? (new URL(request.url).searchParams.get('api_key') ?? '') : ''
  const bearer = async (): Promise<Principal> => {
    const token = bearerOf(authorization)
    return looksLikeKey(token) ? authenticateKey(deps, token) : tokenUser(deps, token)
  }
  // A link with a key is remembered with that key; a token of a pipeline is gone in an hour.
  const inLink = async (): Promise<Principal> => {
    if (readKey(inQuery)?.kind === 'trust') throw refused('the token of a pipeline is not taken in an address')
    return authenticateKey(deps, inQuery)
  }
  return [
    ...(header === '' ? [] : [{ place: 'X-API-Key', verify: () => authenticateKey(deps, header) }]),
    ...(authorization === '' ? [] : [{ place: 'Authorization', verify: bearer }]),
    ...(inQuery === '' ? [] : [{ place: 'the query parameter api_key', verify: inLink }]),
  ]
}

/**
 * Whose credentials a request carries, in this order: X-API-Key, Authorization (a key or an access token), with
 * `queryKey` the query parameter `api_key`, the mark of an in-process call, a browser session. Null without any. Where
 * it names several, each must be valid: what a caller sends is never ignored.
 * @throws SvcError `credentials-invalid`, `csrf-token-invalid`
 */
export async function authenticate(
  deps: AuthenticationDeps,
  request: Request,
  options: { readonly queryKey?: boolean } = {},
): Promise<Principal | null> {
  const named = namedCredentials(deps, request, options.queryKey === true)
  let first: Principal | null = null
  for (const { place, verify } of named) {
    try {
      const principal = await verify()
      first ??= principal
    } catch (error) {
      const several = named.length > 1 && error instanceof SvcError && error.code === 'credentials-invalid'
      throw several ? refused(`${place}: ${(error.detail as { reason: string }).reason}`) : error
    }
  }
  if (first !== null) return first
  const owner = localOwnerOf(request)
  if (owner !== null) return { kind: 'user', userId: owner, via: 'local' }
  const userId = await readSession(deps.db, request, deps.clock.now())
  return userId === null ? null : { kind: 'user', userId, via: 'session' }
}
