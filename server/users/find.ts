import { eq, sql } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { users } from '../../db/tables.gen.ts'
import type { UserRecord } from '../../src/api/auth.ts'

export type UserRow = typeof users.$inferSelect

export const userRecord = (row: Pick<UserRow, 'id' | 'email' | 'name'>): UserRecord => ({
  id: row.id,
  email: row.email,
  name: row.name,
})

/** The user of an e-mail address, in any case. */
export async function findUserByEmail(reader: Reader, email: string): Promise<UserRow | null> {
  const [row] = await reader
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.trim().toLowerCase()))
  return row ?? null
}

/** The user of an id. A principal that names nobody is a fault, so there is no refusal for it. */
export async function userOf(reader: Reader, userId: string): Promise<UserRow> {
  const [row] = await reader.select().from(users).where(eq(users.id, userId))
  if (row === undefined) throw new Error(`the user ${userId} was authenticated and does not exist`)
  return row
}
