import { isoOf } from '../../db/clock.ts'
import { eq } from 'drizzle-orm'
import type { Transaction } from '../../db/database.ts'
import { factorTickets, passwordChanges, passwordResets, users } from '../../db/tables.gen.ts'
import { endSignInsOf } from './refresh.ts'
import { endSessionsOf } from './session.ts'

/**
 * Gives an account another password, or none, and ends every session and all tokens from before.
 * @param given.keepSession the secret of a browser session that continues
 */
export async function replacePassword(
  tx: Transaction,
  given: {
    readonly userId: string
    readonly passwordHash: string | null
    readonly keepSession: string | null
    readonly now: number
  },
): Promise<void> {
  const { userId, passwordHash, now } = given
  await tx
    .update(users)
    .set({ passwordHash, updatedAt: isoOf(now) })
    .where(eq(users.id, userId))
  await tx
    .insert(passwordChanges)
    .values({ userId, changedAt: isoOf(now) })
    .onConflictDoUpdate({ target: passwordChanges.userId, set: { changedAt: isoOf(now) } })
  // A link for the password that was lost has nothing left to do.
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId))
  // So has a sign-in that showed it and waits for its second step.
  await tx.delete(factorTickets).where(eq(factorTickets.userId, userId))
  await endSessionsOf(tx, userId, given.keepSession)
  await endSignInsOf(tx, userId, now)
}
