import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { linkedAccounts } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import type { Deps } from '../deps.ts'
import type { Identified } from '../hosting/calls.ts'
import { openCredential } from './credential.ts'
import { noticeExpiry } from './notice-expiry.ts'
import type { AccountRow } from './record.ts'

type Verdict = Pick<AccountRow, 'status' | 'lastError'> & Partial<Pick<AccountRow, 'scopes' | 'expiresAt'>>

const accepted = (found: Identified): Verdict => ({
  status: 'active',
  lastError: null,
  scopes: [...found.scopes],
  expiresAt: found.expiresAt,
})

async function ask(deps: Deps, row: AccountRow, signal: AbortSignal): Promise<Verdict> {
  const credential = await openCredential(deps, row)
  if (credential === null) return { status: 'revoked', lastError: 'its token is not stored any more' }
  try {
    const found = await deps.hosting.api.identify(credential, signal)
    if (found.login === row.login) return accepted(found)
    return { status: 'error', lastError: `the token belongs to ${found.login} now` }
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    if (error.code === 'account-token-refused') return { status: 'revoked', lastError: error.message }
    // That a provider cannot be reached says nothing about the token.
    return { status: row.status === 'revoked' ? 'revoked' : 'error', lastError: error.message }
  }
}

/**
 * Asks the provider whether it accepts the stored token, and writes what it said.
 * @returns the account as it is then; null where it was deleted meanwhile
 * @throws SvcError `secret-unreadable`, `secret-key-unusable`
 */
export async function verifyAccount(deps: Deps, row: AccountRow, signal: AbortSignal): Promise<AccountRow | null> {
  const verdict = await ask(deps, row, signal)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const own = inTenant(
      linkedAccounts,
      row.tenantId,
      eq(linkedAccounts.id, row.id),
      eq(linkedAccounts.secretId, row.secretId),
    )
    const set = { ...verdict, lastVerifiedAt: at, updatedAt: at }
    const [next] = await tx.update(linkedAccounts).set(set).where(own).returning()
    if (next !== undefined) await noticeExpiry(deps, tx, next)
    return next ?? null
  })
}
