import { and, eq, or, type SQL } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { linkedAccounts } from '../../db/tables.gen.ts'
import type { LinkedAccount } from '../../src/api/linked-accounts.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, tenantOf } from '../auth/door.ts'

export type AccountRow = typeof linkedAccounts.$inferSelect

/** What `owner` says of an account of the organization. */
export const ofTenant = 'tenant'

const soonMs = 14 * 24 * 3_600_000

/** The status of an account at an instant: the last verification, unless its token has expired since or does so soon. */
export function statusOf(row: Pick<AccountRow, 'status' | 'expiresAt'>, now: number): LinkedAccount['status'] {
  if (row.status !== 'active' || row.expiresAt === null) return row.status
  const left = Date.parse(row.expiresAt) - now
  if (left <= 0) return 'expired'
  return left <= soonMs ? 'expiring' : 'active'
}

/** What uses an account. */
export type Uses = LinkedAccount['used_by']

/** An account as callers see it: never its token. */
export function toLinkedAccount(row: AccountRow, now: number, usedBy: Uses): LinkedAccount {
  return {
    id: row.id,
    provider: row.provider,
    host: row.host,
    kind: row.kind,
    owner: row.owner === ofTenant ? { type: 'tenant', id: row.tenantId } : { type: 'user', id: row.owner },
    login: row.login,
    scopes: row.scopes,
    status: statusOf(row, now),
    expires_at: row.expiresAt,
    last_verified_at: row.lastVerifiedAt,
    last_error: row.lastError,
    used_by: usedBy,
    created_at: row.createdAt,
  }
}

/** The accounts that a caller may see: those of the organization, and a person's own. */
export function visibleTo({ principal }: Grant): SQL | undefined {
  const shared = eq(linkedAccounts.owner, ofTenant)
  return principal?.kind === 'user' ? or(shared, eq(linkedAccounts.owner, principal.userId)) : shared
}

/** @throws SvcError `linked-account-not-found`, also for a personal account of another member */
export async function findAccount(reader: Reader, grant: Grant, id: string): Promise<AccountRow> {
  const own = inTenant(linkedAccounts, tenantOf(grant).id, and(eq(linkedAccounts.id, id), visibleTo(grant)))
  const [row] = await reader.select().from(linkedAccounts).where(own)
  if (!row) throw new SvcError('linked-account-not-found', { account: id })
  return row
}

/** What an account of the organization needs beside `repositories:edit`. @throws SvcError `permission-denied` */
export function assertMayChange(grant: Grant, owner: string): void {
  if (owner === ofTenant && !grant.permissions.has('repositories:delete'))
    throw new SvcError('permission-denied', { permission: 'repositories:delete' })
}
