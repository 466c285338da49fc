import { and, eq } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { authenticatorApps, passkeys } from '../../db/tables.gen.ts'

/** Whether a person has a second factor: an authenticator app or a passkey. Recovery codes alone are not one. */
export async function hasSecondFactor(reader: Reader, userId: string): Promise<boolean> {
  const inUse = and(eq(authenticatorApps.userId, userId), eq(authenticatorApps.state, 'active'))
  const apps = await reader.select({ id: authenticatorApps.userId }).from(authenticatorApps).where(inUse).limit(1)
  if (apps.length > 0) return true
  const own = await reader.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1)
  return own.length > 0
}
