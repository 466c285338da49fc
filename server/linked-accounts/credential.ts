import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { linkedAccounts } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { viewersOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import type { Credential } from '../hosting/door.ts'
import { openAppKey } from '../providers/door.ts'
import { ofTenant, statusOf, type AccountRow } from './record.ts'
import { withFreshTokens } from './renew.ts'

/** Why an account does not serve; it ends the sentence "the linked account does not serve: …". */
export type AccountFailure = 'account-missing' | 'account-owner-left' | 'account-expired' | 'account-revoked'

/** Whether the owner of an account is an active member; one of the organization has no such owner. */
async function ownerServes(reader: Reader, row: AccountRow): Promise<boolean> {
  if (row.owner === ofTenant) return true
  return (await viewersOf(reader, row.tenantId, [row.owner])).has(row.owner)
}

/**
 * What an account authorizes with, as long as its owner is an active member and its token is accepted.
 * @returns the reason where it does not serve
 * @throws SvcError `provider-failed`, `provider-oauth-missing`, `secret-unreadable`, `secret-key-unusable`, `secret-key-missing`
 */
export async function credentialOf(
  deps: Deps,
  tenantId: string,
  accountId: string,
): Promise<Credential | AccountFailure> {
  const { read } = deps.db
  const [row] = await read
    .select()
    .from(linkedAccounts)
    .where(inTenant(linkedAccounts, tenantId, eq(linkedAccounts.id, accountId)))
  if (!row) return 'account-missing'
  if (!(await ownerServes(read, row))) return 'account-owner-left'
  const status = statusOf(row, deps.clock.now())
  if (status === 'expired') return 'account-expired'
  if (status === 'revoked') return 'account-revoked'
  const fresh = await withFreshTokens(deps, row)
  if (fresh?.status === 'revoked') return 'account-revoked'
  try {
    return (fresh === null ? null : await openStored(deps, fresh)) ?? 'account-missing'
  } catch (error) {
    if (error instanceof SvcError && error.code === 'account-token-refused') return 'account-revoked'
    throw error
  }
}

/**
 * The credential that is stored with an account, as it is; null where its token is gone. That of an App is made for it.
 * @throws SvcError `secret-unreadable`, `secret-key-unusable`; of an App `account-token-refused`, `git-app-missing`, `provider-failed`
 */
export async function openStored(deps: Deps, row: AccountRow): Promise<Credential | null> {
  const { provider, host, email, tenantId, secretId } = row
  if (row.kind === 'app') return openInstallation(deps, row)
  if (secretId === null) return null
  const token = (await deps.vault.open(deps.db.read, tenantId, 'linked-account', [secretId])).get(secretId)
  return token === undefined ? null : { provider, host, email, token }
}

/** A token of an installation is made when it is needed, and stored nowhere. */
async function openInstallation(deps: Deps, { host, installationId }: AccountRow): Promise<Credential> {
  const key = await openAppKey(deps, host)
  const token = await deps.hosting.apps.tokenOf(key, installationId ?? '', deps.clock)
  return { provider: 'github', host, email: null, token, isInstallation: true }
}

/**
 * The credential of an account, whatever its state; null where its token is gone.
 * @throws SvcError `provider-failed`, `provider-oauth-missing`, `secret-unreadable`, `secret-key-unusable`, `secret-key-missing`
 */
export async function openCredential(deps: Deps, row: AccountRow): Promise<Credential | null> {
  const fresh = await withFreshTokens(deps, row)
  return fresh === null ? null : openStored(deps, fresh)
}
