import { isoOf } from '../../db/clock.ts'
import { and, count, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Database, Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { refreshTokens, users } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { recordAudit } from './audit.ts'
import { hashSecret, randomBase62 } from './key-format.ts'

export const refreshTokenSeconds = 30 * 24 * 3600

/** Why credentials do not let anyone in. */
export const refused = (reason: string): SvcError => new SvcError('credentials-invalid', { reason })

/**
 * Two tabs of a program may send the same token at once: so long after it was exchanged it is exchanged again, where the program that
 * holds it does not know the next one yet.
 */
const graceMs = 10_000
/** Tokens of a family that wait to be used: more than a program has tabs are not one program's. */
const mostUnused = 10

/** A refresh token that was issued: its text, and its family, which is the sign-in. */
export interface IssuedRefresh {
  readonly token: string
  readonly familyId: string
}

/** Adds a refresh token to a family (a new one where null), and gives its text, which is stored only as SHA-256. */
export async function issueRefreshToken(
  tx: Transaction,
  facts: { readonly userId: string; readonly familyId: string | null; readonly now: number },
): Promise<IssuedRefresh> {
  const familyId = facts.familyId ?? newId()
  const token = `svr_${randomBase62(43)}`
  await tx.delete(refreshTokens).where(lt(refreshTokens.expiresAt, isoOf(facts.now)))
  await tx.insert(refreshTokens).values({
    id: newId(),
    familyId,
    userId: facts.userId,
    tokenHash: hashSecret(token),
    createdAt: isoOf(facts.now),
    expiresAt: isoOf(facts.now + refreshTokenSeconds * 1000),
  })
  return { token, familyId }
}

/** Ends the sign-in of a family of tokens. */
export async function revokeFamily(tx: Transaction, familyId: string, now: number): Promise<void> {
  await tx
    .update(refreshTokens)
    .set({ revokedAt: isoOf(now) })
    .where(and(eq(refreshTokens.familyId, familyId), isNull(refreshTokens.revokedAt)))
}

/** Whether a token that was exchanged may be exchanged once more. */
async function isInGrace(tx: Transaction, usedAt: string, familyId: string, now: number): Promise<boolean> {
  if (Date.parse(usedAt) + graceMs <= now) return false
  const unused = and(eq(refreshTokens.familyId, familyId), isNull(refreshTokens.usedAt))
  const [row] = await tx.select({ n: count() }).from(refreshTokens).where(unused)
  return (row?.n ?? 0) < mostUnused
}

/** Whether the sign-in of a family has ended: its access tokens end with it. */
export async function isEnded(read: Reader, familyId: string): Promise<boolean> {
  const revoked = and(eq(refreshTokens.familyId, familyId), isNotNull(refreshTokens.revokedAt))
  return (await read.select({ id: refreshTokens.id }).from(refreshTokens).where(revoked).limit(1)).length > 0
}

/**
 * Exchanges a refresh token for the next one of its family. A token that was used more than ten seconds before is taken for stolen: its
 * whole family ends, also for anyone who holds the newest one (RFC 9700, 4.14.2).
 * @throws SvcError `credentials-invalid`
 */
export async function rotateRefreshToken(
  db: Database,
  token: string,
  now: number,
): Promise<IssuedRefresh & { readonly userId: string }> {
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
    if (row.token.usedAt !== null && !(await isInGrace(tx, row.token.usedAt, familyId, now))) {
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
    // The time of grace begins with the first use.
    const unused = and(eq(refreshTokens.id, row.token.id), isNull(refreshTokens.usedAt))
    await tx
      .update(refreshTokens)
      .set({ usedAt: isoOf(now) })
      .where(unused)
    return { userId, ...(await issueRefreshToken(tx, { userId, familyId, now })) }
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
