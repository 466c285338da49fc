import { and, eq, exists, isNotNull, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { isTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { authenticatorApps, memberships, passkeys, tenants, users } from '../../db/tables.gen.ts'

/** The condition that a person has a second factor: an authenticator app or a passkey. Recovery codes alone are not one. */
export function hasFactor(reader: Reader, userId: SQLWrapper): SQL {
  const apps = reader
    .select({ one: sql`1` })
    .from(authenticatorApps)
    .where(and(eq(authenticatorApps.userId, userId), eq(authenticatorApps.state, 'active')))
  const own = reader
    .select({ one: sql`1` })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
  return or(exists(apps), exists(own)) as SQL
}

/** Whether a person has a second factor. */
export async function hasSecondFactor(reader: Reader, userId: string): Promise<boolean> {
  const rows = await reader
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), hasFactor(reader, users.id)))
  return rows.length > 0
}

/** Whether a person signs in with a password alone. People without a password sign in at an issuer, which asks for a second factor itself. */
export async function lacksSecondFactor(reader: Reader, userId: string): Promise<boolean> {
  const rows = await reader
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.passwordHash)))
  return rows.length > 0 && !(await hasSecondFactor(reader, userId))
}

/** Whether an organization requires a second factor, by its settings. */
export const requiresSecondFactor = (settings: Readonly<Record<string, unknown>>): boolean =>
  settings['secondFactor'] === 'required'

/** The active organizations of a person that require a second factor. */
export async function requiringTenants(
  reader: Reader,
  userId: string,
): Promise<readonly { id: string; name: string }[]> {
  const rows = await reader
    .select({ id: tenants.id, name: tenants.name, settings: tenants.settings })
    .from(memberships)
    .innerJoin(tenants, isTenant(memberships.tenantId))
    .where(and(eq(memberships.userId, userId), eq(memberships.status, 'active')))
    .orderBy(tenants.slug)
  return rows.filter((it) => requiresSecondFactor(it.settings)).map(({ id, name }) => ({ id, name }))
}

/** The organizations that keep a person out until they have a second factor. */
export async function tenantsClosedTo(
  reader: Reader,
  userId: string,
): Promise<readonly { id: string; name: string }[]> {
  const requiring = await requiringTenants(reader, userId)
  return requiring.length > 0 && (await lacksSecondFactor(reader, userId)) ? requiring : []
}
