import { isoOf } from '../../db/clock.ts'
import { and, eq } from 'drizzle-orm'
import type { Reader, Transaction } from '../../db/database.ts'
import { externalIdentities, users } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'
import { dropFactors } from '../second-factors/door.ts'
import { findVerifiedUser, type UserRow } from '../users/door.ts'
import { recordAudit, replacePassword } from '../auth/door.ts'

/** Who an issuer says someone is. */
export interface ExternalPerson {
  readonly issuer: string
  readonly subject: string
  /** Null unless the issuer says that it verified the address. */
  readonly verifiedEmail: string | null
  readonly name: string | null
}

/** The account that an identity is linked to. */
export async function findLinkedUser(reader: Reader, person: ExternalPerson): Promise<UserRow | null> {
  const [row] = await reader
    .select({ user: users })
    .from(externalIdentities)
    .innerJoin(users, eq(users.id, externalIdentities.userId))
    .where(and(eq(externalIdentities.issuer, person.issuer), eq(externalIdentities.subject, person.subject)))
  return row?.user ?? null
}

/** Remembers whose account a subject is; of two at once the first one stays. */
export async function linkIdentity(
  tx: Transaction,
  userId: string,
  person: ExternalPerson,
  now: number,
): Promise<void> {
  const { issuer, subject } = person
  await tx
    .insert(externalIdentities)
    .values({ issuer, subject, userId, createdAt: isoOf(now) })
    .onConflictDoNothing()
  await recordAudit(tx, {
    tenantId: null,
    actor: { kind: 'user', userId, via: 'jwt' },
    action: 'user.identity-linked',
    targetId: userId,
    detail: { issuer, subject },
    at: isoOf(now),
  })
}

/**
 * The account of a person whose identity an issuer confirms: by the subject, which never changes hands; the first time by the
 * verified address, and then only an account whose own address was proven, since anybody can have made the others. An
 * account that has a subject of this issuer already is not given to a second one, since addresses are handed on when
 * people leave. Null when there is no such account.
 */
export async function findExternalUser(
  deps: Pick<Deps, 'db' | 'clock' | 'vault'>,
  person: ExternalPerson,
): Promise<UserRow | null> {
  const { db } = deps
  const linked = await findLinkedUser(db.read, person)
  if (linked !== null) return linked
  const { verifiedEmail } = person
  const user = verifiedEmail === null ? null : await findVerifiedUser(db.read, verifiedEmail)
  if (user === null) return null
  return db.inTransaction(async (tx) => {
    await tx.lock(`identity:${user.id}`)
    const [other] = await tx
      .select({ subject: externalIdentities.subject })
      .from(externalIdentities)
      .where(and(eq(externalIdentities.userId, user.id), eq(externalIdentities.issuer, person.issuer)))
    if (other !== undefined) return other.subject === person.subject ? user : null
    const now = deps.clock.now()
    await linkIdentity(tx, user.id, person, now)
    // Anyone who had the token of its invitation chose the password of this account, and its second factors: that may be someone else.
    if (user.boundTo !== null) {
      await dropFactors(deps, tx, user.id)
      await replacePassword(tx, { userId: user.id, passwordHash: null, keepSession: null, now })
    }
    return user
  })
}

/** The verified address in a set of claims, and the name. `email_verified` may be written as text. */
export function claimsOf(issuer: string, subject: string, claims: Readonly<Record<string, unknown>>): ExternalPerson {
  const verified = claims.email_verified === true || claims.email_verified === 'true'
  return {
    issuer,
    subject,
    verifiedEmail: verified && typeof claims.email === 'string' ? claims.email : null,
    name: typeof claims.name === 'string' ? claims.name : null,
  }
}
