import { eq, isNull } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { linkedAccounts } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import type { Deps } from '../kit/door.ts'
import type { Identified } from '../hosting/door.ts'
import { openAppKey } from '../providers/door.ts'
import { openStored } from './credential.ts'
import { noticeEnded, noticeExpiry } from './notice-expiry.ts'
import type { AccountRow } from './record.ts'
import { withFreshTokens } from './renew.ts'

type Verdict = Pick<AccountRow, 'status' | 'lastError'> & Partial<Pick<AccountRow, 'scopes' | 'expiresAt'>>

const accepted = (row: AccountRow, found: Identified): Verdict => ({
  status: 'active',
  lastError: null,
  // What a person authorized was said when they did, and its tokens are renewed.
  ...(row.kind === 'oauth'
    ? { scopes: found.scopes.length > 0 ? [...found.scopes] : row.scopes }
    : { scopes: [...found.scopes], expiresAt: found.expiresAt }),
})

/** What the provider says of an installation: it may be removed or suspended, and its permissions change. */
async function askApp(deps: Deps, row: AccountRow, signal: AbortSignal): Promise<Verdict> {
  const { host, installationId } = row
  const key = await openAppKey(deps, host)
  const found = await deps.hosting.apps.installation(key, installationId ?? '', deps.clock, signal)
  if (found === null) return { status: 'revoked', lastError: `the App was uninstalled at ${host}` }
  if (found.isSuspended) return { status: 'revoked', lastError: `the installation of the App is suspended at ${host}` }
  return { status: 'active', lastError: null, scopes: [...found.permissions] }
}

async function ask(deps: Deps, row: AccountRow, signal: AbortSignal): Promise<Verdict> {
  try {
    if (row.kind === 'app') return await askApp(deps, row, signal)
    const credential = await openStored(deps, row)
    if (credential === null)
      return { status: 'revoked', lastError: row.lastError ?? 'its token is not stored any more' }
    const found = await deps.hosting.api.identify(credential, signal)
    if (found.login === row.login) return accepted(row, found)
    return { status: 'error', lastError: `the token belongs to ${found.login} now` }
  } catch (error) {
    return failureOf(row, error)
  }
}

/** @throws what is not about the token */
function failureOf(row: AccountRow, error: unknown): Verdict {
  if (!(error instanceof SvcError) || error.code.startsWith('secret-')) throw error
  if (error.code === 'account-token-refused') return { status: 'revoked', lastError: error.message }
  // That a provider cannot be reached says nothing about the token.
  return { status: row.status === 'revoked' ? 'revoked' : 'error', lastError: error.message }
}

/** What the provider says of an account, and the account as it was then: its tokens may have been renewed for that. */
async function judge(deps: Deps, row: AccountRow, signal: AbortSignal): Promise<readonly [AccountRow, Verdict] | null> {
  try {
    const fresh = await withFreshTokens(deps, row)
    return fresh === null ? null : [fresh, await ask(deps, fresh, signal)]
  } catch (error) {
    return [row, failureOf(row, error)]
  }
}

/**
 * Asks the provider whether it accepts the stored token, and writes what it said.
 * @returns the account as it is then; null where it was deleted, or its token replaced, meanwhile
 * @throws SvcError `secret-unreadable`, `secret-key-unusable`, `secret-key-missing`
 */
export async function verifyAccount(deps: Deps, row: AccountRow, signal: AbortSignal): Promise<AccountRow | null> {
  const judged = await judge(deps, row, signal)
  if (judged === null) return null
  const [seen, verdict] = judged
  const at = deps.clock.iso()
  const { secretId } = linkedAccounts
  const same = seen.secretId === null ? isNull(secretId) : eq(secretId, seen.secretId)
  return deps.db.inTransaction(async (tx) => {
    const own = inTenant(linkedAccounts, row.tenantId, eq(linkedAccounts.id, row.id), same)
    const set = { ...verdict, lastVerifiedAt: at, updatedAt: at }
    const [next] = await tx.update(linkedAccounts).set(set).where(own).returning()
    if (next === undefined) return null
    if (next.status === 'revoked' && seen.status !== 'revoked') await noticeEnded(deps, tx, next)
    await noticeExpiry(deps, tx, next)
    return next
  })
}
