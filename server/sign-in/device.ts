import { isoOf } from '../../db/clock.ts'
import { and, eq, gt } from 'drizzle-orm'
import type { Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { deviceCodes, memberships, tenants } from '../../db/tables.gen.ts'
import type { DeviceCode, DeviceRequest, DeviceTokens } from '../../src/api/device.ts'
import { SvcError } from '../../src/errors.ts'
import { userOf } from '../users/door.ts'
import {
  type Grant,
  hashSecret,
  personOf,
  randomBase62,
  recordAudit,
  spendAddress,
  spendUserCode,
} from '../auth/door.ts'
import type { Identity } from './identity.ts'
import { beginSignIn } from './sign-in.ts'

type DeviceRow = typeof deviceCodes.$inferSelect

export const deviceCodeSeconds = 15 * 60
const firstIntervalSeconds = 5
/** What the interval grows by each time a program asks too soon (RFC 8628, 3.5). */
const slowDownSeconds = 5

/** Letters that are not taken for one another or for digits, and that spell no words (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
/** The largest multiple of 20 below 256. */
const unbiased = 240

function randomUserCode(): string {
  let code = ''
  while (code.length < 8) {
    for (const byte of crypto.getRandomValues(new Uint8Array(16)))
      if (byte < unbiased && code.length < 8) code += letters[byte % letters.length]
  }
  return code
}

const present = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** A user code as it was meant: capitals without hyphens and blanks. */
const readUserCode = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z]/g, '')

/** Adds the row; a user code that someone else waits with, once in billions, is drawn again. */
async function insertCode(tx: Transaction, row: Omit<DeviceRow, 'userCodeHash'>): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const userCode = randomUserCode()
    try {
      await tx.savepoint((inner) => inner.insert(deviceCodes).values({ ...row, userCodeHash: hashSecret(userCode) }))
      return userCode
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === 3) throw error
    }
  }
}

/**
 * Begins a sign-in that a person approves in the application (RFC 8628, 3.1).
 * @throws SvcError `auth-rate-limited`
 */
export async function beginDevice(
  deps: Identity,
  given: { readonly clientName: string | null; readonly address: string | null },
): Promise<DeviceCode> {
  const { db } = deps
  await spendAddress(db, given.address, deps.clock.now())
  const deviceCode = `svd_${randomBase62(43)}`
  const now = deps.clock.now()
  const userCode = await db.inTransaction((tx) =>
    insertCode(tx, {
      id: newId(),
      deviceCodeHash: hashSecret(deviceCode),
      clientName: given.clientName?.trim() || 'A program',
      address: given.address,
      status: 'pending',
      userId: null,
      chosenTenant: null,
      intervalSeconds: firstIntervalSeconds,
      lastAskedAt: null,
      createdAt: isoOf(now),
      expiresAt: isoOf(now + deviceCodeSeconds * 1000),
    }),
  )
  const uri = `${deps.publicUrl()}/app/device`
  return {
    device_code: deviceCode,
    user_code: present(userCode),
    verification_uri: uri,
    verification_uri_complete: `${uri}?user_code=${present(userCode)}`,
    expires_in: deviceCodeSeconds,
    interval: firstIntervalSeconds,
  }
}

/** What a question for tokens comes to: a refusal, or the row that it used up. */
type Redeemed = SvcError | { readonly userId: string; readonly chosenTenant: string | null }

async function answerPending(tx: Transaction, row: DeviceRow, now: number): Promise<SvcError> {
  const asked = row.lastAskedAt === null ? null : Date.parse(row.lastAskedAt)
  const tooSoon = asked !== null && now - asked < row.intervalSeconds * 1000
  const interval = tooSoon ? row.intervalSeconds + slowDownSeconds : row.intervalSeconds
  await tx
    .update(deviceCodes)
    .set({ lastAskedAt: isoOf(now), intervalSeconds: interval })
    .where(eq(deviceCodes.id, row.id))
  return tooSoon ? new SvcError('slow_down', { interval }) : new SvcError('authorization_pending')
}

async function redeem(tx: Transaction, hash: string, now: number): Promise<Redeemed> {
  await tx.lock(`device:${hash}`)
  const [row] = await tx.select().from(deviceCodes).where(eq(deviceCodes.deviceCodeHash, hash))
  if (row === undefined || row.status === 'redeemed') return new SvcError('invalid_grant')
  if (row.status === 'denied') return new SvcError('access_denied')
  if (row.expiresAt <= isoOf(now)) return new SvcError('expired_token')
  if (row.userId === null) return answerPending(tx, row, now)
  await tx.update(deviceCodes).set({ status: 'redeemed' }).where(eq(deviceCodes.id, row.id))
  return { userId: row.userId, chosenTenant: row.chosenTenant }
}

/**
 * The tokens of an approved sign-in, once (RFC 8628, 3.4 and 3.5). Codes that exist nowhere are counted as attempts to
 * sign in; a program that waits is not.
 * @throws SvcError `authorization_pending`, `slow_down`, `access_denied`, `expired_token`, `invalid_grant`,
 *   `auth-rate-limited`
 */
export async function redeemDevice(
  deps: Identity,
  given: { readonly deviceCode: string; readonly address: string | null },
): Promise<DeviceTokens> {
  const { db } = deps
  // What a refusal writes must outlive it, so it is thrown after the commit.
  const result = await db.inTransaction((tx) => redeem(tx, hashSecret(given.deviceCode), deps.clock.now()))
  if (result instanceof SvcError) {
    if (result.code === 'invalid_grant') await spendAddress(db, given.address, deps.clock.now())
    throw result
  }
  const user = await userOf(db.read, result.userId)
  if (user.status !== 'active') throw new SvcError('access_denied')
  return { ...(await beginSignIn(deps, user)), tenant: result.chosenTenant }
}

const isPending = (userCode: string, now: number) =>
  and(
    eq(deviceCodes.userCodeHash, hashSecret(readUserCode(userCode))),
    eq(deviceCodes.status, 'pending'),
    gt(deviceCodes.expiresAt, isoOf(now)),
  )

/**
 * Which sign-in waits under a code.
 * @throws SvcError `device-code-unknown`, `auth-rate-limited`
 */
export async function lookUpDevice(deps: Identity, grant: Grant, userCode: string): Promise<DeviceRequest> {
  await spendUserCode(deps.db, personOf(grant), deps.clock.now())
  const [row] = await deps.db.read.select().from(deviceCodes).where(isPending(userCode, deps.clock.now()))
  if (row === undefined) throw new SvcError('device-code-unknown')
  return {
    user_code: present(readUserCode(userCode)),
    client_name: row.clientName,
    address: row.address,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
  }
}

/** @throws SvcError `tenant-access-denied` unless the person is an active member of the tenant */
async function assertMember(tx: Transaction, userId: string, slug: string): Promise<void> {
  const active = and(eq(memberships.userId, userId), eq(memberships.status, 'active'))
  const rows = await tx
    .select({ id: tenants.id })
    .from(tenants)
    .innerJoin(memberships, eq(memberships.tenantId, tenants.id))
    .where(and(eq(tenants.slug, slug), active))
  if (rows.length === 0) throw new SvcError('tenant-access-denied', { tenant: slug })
}

/**
 * Approves or denies a waiting sign-in, once. Approved, it signs in as the person who approves.
 * @throws SvcError `device-code-unknown`, `tenant-access-denied`, `auth-rate-limited`
 */
export async function decideDevice(
  deps: Identity,
  grant: Grant,
  given: { readonly userCode: string; readonly approve: boolean; readonly tenant: string | null },
): Promise<'approved' | 'denied'> {
  const userId = personOf(grant)
  await spendUserCode(deps.db, userId, deps.clock.now())
  const status = given.approve ? 'approved' : 'denied'
  await deps.db.inTransaction(async (tx) => {
    const now = deps.clock.now()
    const [row] = await tx
      .update(deviceCodes)
      .set({ status, userId, chosenTenant: given.approve ? given.tenant : null })
      .where(isPending(given.userCode, now))
      .returning({ clientName: deviceCodes.clientName, address: deviceCodes.address })
    if (row === undefined) throw new SvcError('device-code-unknown')
    if (given.approve && given.tenant !== null) await assertMember(tx, userId, given.tenant)
    await recordAudit(tx, {
      tenantId: null,
      actor: grant.principal,
      action: given.approve ? 'user.device-approved' : 'user.device-denied',
      targetId: userId,
      detail: { client: row.clientName, address: row.address },
      at: isoOf(now),
    })
  })
  return status
}
