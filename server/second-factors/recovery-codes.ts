/** Codes for people who lost their other factors. */
import { randomBytes } from 'node:crypto'
import { and, count, eq, isNull, max, sql } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { recoveryCodes } from '../../db/tables.gen.ts'
import { hashSecret } from '../auth/door.ts'
import { toBase32 } from './totp.ts'

const codesOfPerson = 10
/** Sixteen letters: too many to try, so that SHA-256 is enough to store them. */
const codeBytes = 10

/** A code as it is stored: in any case of its letters, with or without its hyphens. */
const normalize = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')

const hashOf = (userId: string, text: string): string => hashSecret(`recovery:${userId}:${normalize(text)}`)

function newCode(): string {
  const parts = toBase32(randomBytes(codeBytes)).match(/.{4}/g) ?? []
  return parts.join('-').toLowerCase()
}

/** Replaces the codes of a person. @returns the new ones, which are stored nowhere */
export async function replaceCodes(tx: Transaction, userId: string, now: number): Promise<string[]> {
  const made = Array.from({ length: codesOfPerson }, newCode)
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx
    .insert(recoveryCodes)
    .values(made.map((code) => ({ userId, codeHash: hashOf(userId, code), createdAt: isoOf(now), usedAt: null })))
  return made
}

/** How many codes a person has left, and when they were made. */
export async function countCodes(reader: Reader, userId: string): Promise<{ left: number; createdAt: string | null }> {
  const [row] = await reader
    .select({
      left: count(sql`case when ${recoveryCodes.usedAt} is null then 1 end`),
      createdAt: max(recoveryCodes.createdAt),
    })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId))
  return { left: row?.left ?? 0, createdAt: row?.createdAt ?? null }
}

/** Uses a code up. @returns whether it was one of the person's, and not used before */
export async function useCode(tx: Transaction, userId: string, text: string, now: number): Promise<boolean> {
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: isoOf(now) })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, hashOf(userId, text)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ hash: recoveryCodes.codeHash })
  return used.length > 0
}

/** Removes the codes of a person. */
export const dropCodes = (tx: Transaction, userId: string): Promise<unknown> =>
  tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
