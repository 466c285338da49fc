/** Renewing the tokens of OAuth accounts before they expire, by one process at a time. */
import { and, eq, isNull, lte, or } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import { linkedAccounts } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import type { Deps } from '../kit/door.ts'
import type { TokenSet } from '../hosting/door.ts'
import { openClient } from '../providers/door.ts'
import { removeTokens, sealTokens } from './keep.ts'
import { noticeEnded } from './notice-expiry.ts'
import type { AccountRow } from './record.ts'

/** How long before its end a token is renewed: longer than any piece of work with it. */
const marginMs = 5 * 60_000
/** How long one process has for it: several times what a provider may take. */
const leaseMs = 30_000
const pauseMs = 250

const isDue = ({ tokenExpiresAt, refreshSecretId }: AccountRow, now: number): boolean =>
  tokenExpiresAt !== null && refreshSecretId !== null && Date.parse(tokenExpiresAt) - now <= marginMs

const own = ({ tenantId, id }: Pick<AccountRow, 'tenantId' | 'id'>) =>
  inTenant(linkedAccounts, tenantId, eq(linkedAccounts.id, id))

async function read(deps: Deps, row: AccountRow): Promise<AccountRow | null> {
  const [found] = await deps.db.read.select().from(linkedAccounts).where(own(row))
  return found ?? null
}

/** Lets this process renew the tokens as they were seen. False: another one does, or did. */
async function claim(deps: Deps, row: AccountRow): Promise<boolean> {
  const now = deps.clock.now()
  const { renewingUntil, refreshSecretId } = linkedAccounts
  const seen = eq(refreshSecretId, row.refreshSecretId ?? '')
  const free = or(isNull(renewingUntil), lte(renewingUntil, isoOf(now)))
  const taken = await deps.db.inTransaction((tx) =>
    tx
      .update(linkedAccounts)
      .set({ renewingUntil: isoOf(now + leaseMs) })
      .where(and(own(row), seen, free))
      .returning({ id: linkedAccounts.id }),
  )
  return taken.length > 0
}

/** Asks the provider for other tokens. @throws SvcError as `ProviderOAuth.renew`, `provider-oauth-missing`, `secret-unreadable` */
async function ask(deps: Deps, { tenantId, provider, host, refreshSecretId }: AccountRow): Promise<TokenSet> {
  const id = refreshSecretId ?? ''
  const secret = (await deps.vault.open(deps.db.read, tenantId, 'linked-account', [id])).get(id)
  const client = await openClient(deps, provider, host)
  if (secret === undefined)
    throw new SvcError('account-authorization-refused', { host, reason: 'its token is not stored any more' })
  return deps.hosting.oauth.renew(client, secret)
}

/** Writes what the provider gave in place of the tokens as they were seen. A provider that keeps the refresh token names none. */
async function store(deps: Deps, row: AccountRow, tokens: TokenSet): Promise<void> {
  const { tenantId, refreshSecretId } = row
  await deps.db.inTransaction(async (tx) => {
    const sealed = await sealTokens(deps, tx, tenantId, tokens)
    const keeps = tokens.refreshToken === null
    const next = keeps ? { ...sealed, refreshSecretId, expiresAt: row.expiresAt } : sealed
    const at = deps.clock.iso()
    const seen = and(own(row), eq(linkedAccounts.refreshSecretId, refreshSecretId ?? ''))
    const set = { ...next, status: 'active' as const, lastError: null, updatedAt: at }
    const [written] = await tx.update(linkedAccounts).set(set).where(seen).returning()
    // Its tokens were replaced meanwhile: these are not needed.
    const gone = written === undefined ? { ...row, ...sealed } : keeps ? { ...row, refreshSecretId: null } : row
    await removeTokens(deps, tx, gone)
  })
}

/** Writes that the provider renews it no more, forgets what is left of its tokens, and notifies its owner. */
async function end(deps: Deps, row: AccountRow, reason: string): Promise<void> {
  const seen = and(own(row), eq(linkedAccounts.refreshSecretId, row.refreshSecretId ?? ''))
  const gone = { secretId: null, refreshSecretId: null, tokenExpiresAt: null, renewingUntil: null }
  const set = { ...gone, status: 'revoked' as const, lastError: reason, updatedAt: deps.clock.iso() }
  await deps.db.inTransaction(async (tx) => {
    const [written] = await tx.update(linkedAccounts).set(set).where(seen).returning()
    if (written === undefined) return
    await removeTokens(deps, tx, row)
    await noticeEnded(deps, tx, written)
  })
}

async function release(deps: Deps, row: AccountRow): Promise<void> {
  await deps.db.inTransaction((tx) => tx.update(linkedAccounts).set({ renewingUntil: null }).where(own(row)))
}

async function renew(deps: Deps, row: AccountRow): Promise<void> {
  let tokens: TokenSet
  try {
    tokens = await ask(deps, row)
  } catch (error) {
    if (error instanceof SvcError && error.code === 'account-authorization-refused')
      return end(deps, row, error.message)
    await release(deps, row)
    // While the token lasts nothing is lost: it is tried again with the next use.
    if (error instanceof SvcError && Date.parse(row.tokenExpiresAt ?? '') > deps.clock.now()) return
    throw error
  }
  await store(deps, row, tokens)
}

/**
 * The account with tokens that last for a piece of work. Where several processes need it at once, one of them asks the provider, which
 * takes a refresh token only once, and the others wait for what it stores.
 * @returns null where it was deleted meanwhile
 * @throws SvcError `provider-failed`, `provider-oauth-missing`, `secret-unreadable`, `secret-key-unusable`, `secret-key-missing`
 */
export async function withFreshTokens(deps: Deps, row: AccountRow): Promise<AccountRow | null> {
  if (!isDue(row, deps.clock.now())) return row
  const until = performance.now() + leaseMs + pauseMs
  for (let seen: AccountRow | null = row; seen !== null; seen = await read(deps, row)) {
    if (seen.status === 'revoked' || !isDue(seen, deps.clock.now())) return seen
    if (await claim(deps, seen)) {
      await renew(deps, seen)
      return read(deps, row)
    }
    if (performance.now() > until) break
    await Bun.sleep(pauseMs)
  }
  return read(deps, row)
}
