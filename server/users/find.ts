import { and, asc, eq, isNotNull, ne, sql } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { users } from '../../db/tables.gen.ts'
import type { UserRecord } from '../../src/api/auth.ts'

export type UserRow = typeof users.$inferSelect

export const userRecord = (row: Pick<UserRow, 'id' | 'email' | 'name'>): UserRecord => ({
  id: row.id,
  email: row.email,
  name: row.name,
})

/** The accounts of an e-mail address, in any case of its letters. */
export const ofAddress = (email: string) => eq(sql`lower(${users.email})`, email.trim().toLowerCase())

/** The account whose address an issuer or the operator confirmed. */
export async function findVerifiedUser(reader: Reader, email: string): Promise<UserRow | null> {
  const [row] = await reader
    .select()
    .from(users)
    .where(and(ofAddress(email), isNotNull(users.emailVerifiedAt)))
  return row ?? null
}

/** Every account of an address, the oldest first: what the operator is asked to choose from. */
export const findUsersByEmail = (reader: Reader, email: string): Promise<UserRow[]> =>
  reader.select().from(users).where(ofAddress(email)).orderBy(asc(users.createdAt), asc(users.id))

/** The stored password of another account of an address, for what the accounts of one address share; null: there is none. */
export async function passwordBeside(reader: Reader, email: string, userId: string | null): Promise<string | null> {
  const [row] = await reader
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(and(ofAddress(email), isNotNull(users.passwordHash), userId === null ? undefined : ne(users.id, userId)))
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(1)
  return row?.passwordHash ?? null
}

/** The user of an id. A principal that names no one is a fault, so there is no refusal for it. */
export async function userOf(reader: Reader, userId: string): Promise<UserRow> {
  const [row] = await reader.select().from(users).where(eq(users.id, userId))
  if (row === undefined) throw new Error(`the user ${userId} was authenticated and does not exist`)
  return row
}
