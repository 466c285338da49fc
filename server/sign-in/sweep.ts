import { isoOf } from '../../db/clock.ts'
import { and, eq, exists, lt, not, or, sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { removeWhere } from '../../db/remove-where.ts'
import {
  authAttempts,
  deviceCodes,
  invitations,
  logoutTokens,
  memberships,
  oidcAttempts,
  passwordResets,
  refreshTokens,
  sessions,
  setupTokens,
  signingKeys,
  trustTokens,
  users,
} from '../../db/tables.gen.ts'
import { openInvitation } from '../license/door.ts'
import { sweepTickets } from '../second-factors/door.ts'
import { longestWindowMs, sessionIdleMs, sweepDelays, sweepSources } from '../auth/door.ts'

/** Codes of devices stay this long after their end, so that a late program learns that they expired. */
const deviceGraceMs = 24 * 3_600_000

/** Pending memberships end with the invitation behind them. */
async function sweepPending(db: Database, now: number): Promise<void> {
  const behind = db.read
    .select({ id: invitations.id })
    .from(invitations)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(invitations.tenantId, memberships.tenantId),
        eq(invitations.email, sql`lower(${users.email})`),
        openInvitation(now),
      ),
    )
  await removeWhere(db, memberships, and(eq(memberships.status, 'pending'), not(exists(behind))))
}

/**
 * Removes what has ended by itself and says nothing to anybody any more: spent attempts, codes, sessions, tokens, public
 * keys, pending memberships, failed sign-ins, browsers and networks.
 * @param now milliseconds since the epoch
 */
export async function sweepIdentity(db: Database, now: number): Promise<void> {
  const before = (ms: number): string => isoOf(now - ms)
  await removeWhere(db, authAttempts, lt(authAttempts.createdAt, before(longestWindowMs)))
  await removeWhere(db, deviceCodes, lt(deviceCodes.expiresAt, before(deviceGraceMs)))
  await removeWhere(db, logoutTokens, lt(logoutTokens.expiresAt, before(0)))
  await removeWhere(db, oidcAttempts, lt(oidcAttempts.expiresAt, before(0)))
  await removeWhere(db, sessions, or(lt(sessions.expiresAt, before(0)), lt(sessions.lastSeenAt, before(sessionIdleMs))))
  await removeWhere(db, refreshTokens, lt(refreshTokens.expiresAt, before(0)))
  await removeWhere(db, passwordResets, lt(passwordResets.expiresAt, before(0)))
  await removeWhere(db, setupTokens, lt(setupTokens.expiresAt, before(0)))
  await removeWhere(db, signingKeys, lt(signingKeys.expiresAt, before(0)))
  await removeWhere(db, trustTokens, lt(trustTokens.keptUntil, before(0)))
  await sweepPending(db, now)
  for (const sweep of [sweepTickets, sweepDelays, sweepSources])
    await db.inTransaction(async (tx) => void (await sweep(tx, now)))
}
