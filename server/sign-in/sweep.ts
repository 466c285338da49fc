import { isoOf } from '../../db/clock.ts'
import { and, eq, exists, lt, not, or, sql } from 'drizzle-orm'
import type { Transaction } from '../../db/database.ts'
import {
  authAttempts,
  deviceCodes,
  invitations,
  memberships,
  oidcAttempts,
  passwordResets,
  refreshTokens,
  sessions,
  setupTokens,
  signingKeys,
  users,
} from '../../db/tables.gen.ts'
import { openInvitation } from '../license/door.ts'
import { sweepTickets } from '../second-factors/door.ts'
import { longestWindowMs, sessionIdleMs, sweepDelays, sweepSources } from '../auth/door.ts'

/** Codes of devices stay this long after their end, so that a late program learns that they expired. */
const deviceGraceMs = 24 * 3_600_000

/** Pending memberships end with the invitation behind them. */
async function sweepPending(tx: Transaction, now: number): Promise<void> {
  const behind = tx
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
  await tx.delete(memberships).where(and(eq(memberships.status, 'pending'), not(exists(behind))))
}

/**
 * Removes what has ended by itself and says nothing to anybody any more: spent attempts, codes, sessions, tokens, public
 * keys, pending memberships, failed sign-ins, browsers and networks.
 * @param now milliseconds since the epoch
 */
export async function sweepIdentity(tx: Transaction, now: number): Promise<void> {
  const before = (ms: number): string => isoOf(now - ms)
  await tx.delete(authAttempts).where(lt(authAttempts.createdAt, before(longestWindowMs)))
  await tx.delete(deviceCodes).where(lt(deviceCodes.expiresAt, before(deviceGraceMs)))
  await tx.delete(oidcAttempts).where(lt(oidcAttempts.expiresAt, before(0)))
  await tx.delete(sessions).where(or(lt(sessions.expiresAt, before(0)), lt(sessions.lastSeenAt, before(sessionIdleMs))))
  await tx.delete(refreshTokens).where(lt(refreshTokens.expiresAt, before(0)))
  await tx.delete(passwordResets).where(lt(passwordResets.expiresAt, before(0)))
  await tx.delete(setupTokens).where(lt(setupTokens.expiresAt, before(0)))
  await tx.delete(signingKeys).where(lt(signingKeys.expiresAt, before(0)))
  await sweepTickets(tx, now)
  await sweepPending(tx, now)
  await sweepDelays(tx, now)
  await sweepSources(tx, now)
}
