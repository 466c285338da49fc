import { isoOf } from '../../db/clock.ts'
import { and, eq, isNull, lt } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { refreshTokens, users } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { recordAudit } from './audit.ts'
import { hashSecret, randomBase62 } from './key-format.ts'

export const refreshTokenSeconds = 30 * 24 * 3600

const refused = (reason: string): SvcError => new SvcError('credentials-invalid', { reason })

/** Adds a refresh token to a family (a new one where null), and gives its text, which is stored only as SHA-256. */
export async function issueRefreshToken(
  tx: Transaction,
  facts: { readonly userId: string; readonly familyId: string | null; readonly now: number },
): Promise<string> {
  const token = `svr_${randomBase62(43)}`
  await tx.delete(refreshTokens).where(lt(refreshTokens.expiresAt, isoOf(facts.now)))
  await tx.insert(refreshTokens).values({
    id: newId(),
    familyId: facts.familyId ?? newId(),
    userId: facts.userId,
    tokenHash: hashSecret(token),
    createdAt: isoOf(facts.now),
    expiresAt: isoOf(facts.now + refreshTokenSeconds * 1000),
  })
  return token
}

/** Ends the sign-in of a family of tokens. */
export async function revokeFamily(tx: Transaction, familyId: string, now: number): Promise<void> {
  await tx
    .update(refreshTokens)
    .set({ revokedAt: isoOf(now) })
    .where(and(eq(refreshTokens.familyId, familyId), isNull(refreshTokens.revokedAt)))
}

/**
 * Exchanges a refresh token for the next one of its family. A token that was used before is taken for stolen: its
 * whole family ends, also for anyone who holds the newest one (RFC 9700, 4.14.2).
 * @throws SvcError `credentials-invalid`
 */
export async function rotateRefreshToken(
  db: Database,
  token: string,
  now: number,
): Promise<{ readonly userId: string; readonly token: string }> {
  const hash = hashSecret(token)
  // The revocation must outlive the refusal, so the refusal is thrown after the commit.
  const result = await db.inTransaction(async (tx) => {
    await tx.lock(`refresh:${hash}`)
    const [row] = await tx
      .select({ token: refreshTokens, status: users.status })
      .from(refreshTokens)
      .innerJoin(users, eq(users.id, refreshTokens.userId))
      .where(eq(refreshTokens.tokenHash, hash))
    if (row === undefined) return refused('unknown refresh token')
    const { userId, familyId } = row.token
    if (row.token.revokedAt !== null) return refused('the sign-in it belongs to has ended')
    if (row.token.usedAt !== null) {
      await revokeFamily(tx, familyId, now)
      await recordAudit(tx, {
        tenantId: null,
        actor: null,
        action: 'user.tokens-revoked',
        targetId: userId,
        detail: { reason: 'a used refresh token was sent again' },
        at: isoOf(now),
      })
      return refused('the refresh token was used before, so its sign-in has been ended')
    }
    if (row.token.expiresAt <= isoOf(now)) return refused('the refresh token has expired')
    if (row.status !== 'active') return refused('its account is disabled')
    await tx
      .update(refreshTokens)
      .set({ usedAt: isoOf(now) })
      .where(eq(refreshTokens.id, row.token.id))
    return { userId, token: await issueRefreshToken(tx, { userId, familyId, now }) }
  })
  if (result instanceof SvcError) throw result
  return result
}

/** Ends the sign-in that a refresh token belongs to; nothing happens for an unknown one. */
export async function endSignIn(db: Database, token: string, now: number): Promise<void> {
  await db.inTransaction(async (tx) => {
    const [row] = await tx
      .select({ familyId: refreshTokens.familyId })
      .from(refreshTokens)
      .where(eq(refreshTokens.tokenHash, hashSecret(token)))
    if (row !== undefined) await revokeFamily(tx, row.familyId, now)
  })
}

/** Ends every sign-in of a person. */
export async function endSignInsOf(tx: Transaction, userId: string, now: number): Promise<void> {
  await tx
    .update(refreshTokens)
    .set({ revokedAt: isoOf(now) })
    .where(and(eq(refreshTokens.userId, userId), isNull(refreshTokens.revokedAt)))
}
