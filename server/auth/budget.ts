import { isoOf } from '../../db/clock.ts'
import { and, asc, desc, eq, gt, lte } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { authAttempts } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { networkOf } from './address.ts'

interface Budget {
  readonly max: number
  readonly windowMs: number
}

/** Attempts of one network, right or wrong. */
const perAddress: Budget = { max: 10, windowMs: 60_000 }
/** Attempts of one browser that someone has signed in with before. */
const perBrowser: Budget = { max: 10, windowMs: 60_000 }
/** Codes of other devices that one person looks up or decides. */
const perApprover: Budget = { max: 20, windowMs: 60_000 }
/** Changes of who belongs where that one person asks for. */
const perJoiner: Budget = { max: 30, windowMs: 60_000 }
/** The longest of these windows: older attempts count nowhere. */
export const longestWindowMs = 60_000

const addressBucket = (address: string): string => `address:${networkOf(address)}`

/** Takes one attempt out of a bucket, in the database, so that all replicas count together. One that is refused writes nothing. */
async function spend(db: Database, bucket: string, budget: Budget, now: number): Promise<void> {
  await assertRoom(db, bucket, budget, now)
  await db.inTransaction(async (tx) => {
    await tx.lock(`auth-budget:${bucket}`)
    const since = isoOf(now - budget.windowMs)
    await tx.delete(authAttempts).where(and(eq(authAttempts.bucket, bucket), lte(authAttempts.createdAt, since)))
    const spent = await tx
      .select({ at: authAttempts.createdAt })
      .from(authAttempts)
      .where(eq(authAttempts.bucket, bucket))
      .orderBy(asc(authAttempts.createdAt))
    if (spent.length >= budget.max) throw limited(spent[spent.length - budget.max]?.at ?? isoOf(now), budget, now)
    await tx.insert(authAttempts).values({ id: newId(), bucket, createdAt: isoOf(now) })
  })
}

function limited(oldest: string, budget: Budget, now: number): SvcError {
  const seconds = Math.ceil((Date.parse(oldest) + budget.windowMs - now) / 1000)
  return new SvcError('auth-rate-limited', { retry_after: Math.max(1, seconds) })
}

/**
 * Takes one of the ten attempts a minute of the network of an address. Calls in-process (null) are not counted.
 * @throws SvcError `auth-rate-limited` with the seconds until the next one
 */
export async function spendAddress(db: Database, address: string | null, now: number): Promise<void> {
  if (address !== null) await spend(db, addressBucket(address), perAddress, now)
}

/** @throws SvcError `auth-rate-limited` where a bucket has no attempt left; it takes none */
async function assertRoom(db: Database, bucket: string, { max, windowMs }: Budget, now: number): Promise<void> {
  const spent = and(eq(authAttempts.bucket, bucket), gt(authAttempts.createdAt, isoOf(now - windowMs)))
  const [last] = await db.read
    .select({ at: authAttempts.createdAt })
    .from(authAttempts)
    .where(spent)
    .orderBy(desc(authAttempts.createdAt))
    .offset(max - 1)
    .limit(1)
  if (last !== undefined) throw limited(last.at, { max, windowMs }, now)
}

/**
 * Refuses an address that has spent its attempts, without taking one.
 * @throws SvcError `auth-rate-limited`
 */
export async function assertAddress(db: Database, address: string | null, now: number): Promise<void> {
  if (address !== null) await assertRoom(db, addressBucket(address), perAddress, now)
}

/**
 * Takes one of the ten attempts a minute of a browser that someone has signed in with, whatever others in its network
 * do.
 * @throws SvcError `auth-rate-limited`
 */
export const spendBrowser = (db: Database, browser: string, now: number): Promise<void> =>
  spend(db, browser, perBrowser, now)

/**
 * Takes one of the twenty codes a minute that a person may try when approving sign-ins of other devices (RFC 8628, 5.1).
 * @throws SvcError `auth-rate-limited`
 */
export const spendUserCode = (db: Database, userId: string, now: number): Promise<void> =>
  spend(db, `device:${userId}`, perApprover, now)

/**
 * Takes one of the thirty tenants or memberships a minute that a person may ask for.
 * @throws SvcError `auth-rate-limited`
 */
export const spendOnboarding = (db: Database, userId: string, now: number): Promise<void> =>
  spend(db, `onboarding:${userId}`, perJoiner, now)
