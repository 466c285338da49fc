import { isoOf } from '../../db/clock.ts'
import { timingSafeEqual } from 'node:crypto'
import { and, eq, lt, ne } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { sessions, users } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { setCookie } from './cookie.ts'
import { hashSecret, randomBase62 } from './key-format.ts'

/** A browser session ends 30 days after it began, and after 7 days in which no one used it. */
const sessionLifeMs = 30 * 24 * 3_600_000
export const sessionIdleMs = 7 * 24 * 3_600_000
const touchEveryMs = 60_000

export const sessionCookie = 'svc_session'
export const csrfHeader = 'x-csrf-token'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A session that was just begun: `cookie` is the Set-Cookie header, `csrf` what the page must send with every change. */
export interface BegunSession {
  readonly id: string
  readonly cookie: string
  readonly csrf: string
}

/** The CSRF token of a session: derived from its secret, so a page of another origin, which cannot read it, cannot know it. */
export const csrfTokenOf = (sessionToken: string): string => hashSecret(`csrf:${sessionToken}`)

/** The value of the session cookie; null when there is none. */
export function sessionTokenOf(request: Request): string | null {
  return new Bun.CookieMap(request.headers.get('cookie') ?? '').get(sessionCookie) ?? null
}

const cookieOf = (value: string, maxAgeSeconds: number, secure: boolean): string =>
  setCookie(sessionCookie, value, { path: '/', maxAge: maxAgeSeconds, sameSite: 'lax', secure })

/** The header that makes a browser forget its session. */
export const endedCookie = (secure: boolean): string => cookieOf('', 0, secure)

/**
 * Begins a session. Its secret is always new: whatever cookie the browser showed before signing in stays without
 * meaning (no session fixation). Only the SHA-256 is stored.
 */
export async function beginSession(
  tx: Transaction,
  facts: { readonly userId: string; readonly userAgent: string; readonly now: number; readonly secure: boolean },
): Promise<BegunSession> {
  const token = randomBase62(43)
  const id = newId()
  await tx.delete(sessions).where(lt(sessions.expiresAt, isoOf(facts.now)))
  await tx.insert(sessions).values({
    id,
    userId: facts.userId,
    tokenHash: hashSecret(token),
    userAgent: facts.userAgent.replaceAll('\0', '').slice(0, 300),
    createdAt: isoOf(facts.now),
    lastSeenAt: isoOf(facts.now),
    expiresAt: isoOf(facts.now + sessionLifeMs),
  })
  return { id, cookie: cookieOf(token, sessionLifeMs / 1000, facts.secure), csrf: csrfTokenOf(token) }
}

/** Ends the session of a cookie value; nothing happens where there is none. */
export async function endSession(tx: Transaction, token: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.tokenHash, hashSecret(token)))
}

/** Ends every session of a person, but for the one of `exceptToken`. */
export async function endSessionsOf(tx: Transaction, userId: string, exceptToken: string | null): Promise<void> {
  const but = exceptToken === null ? undefined : ne(sessions.tokenHash, hashSecret(exceptToken))
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), but))
}

function assertSameOrigin(request: Request, token: string): void {
  if (safeMethods.has(request.method)) return
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') throw new SvcError('csrf-token-invalid')
  const given = Buffer.from(request.headers.get(csrfHeader) ?? '')
  const expected = Buffer.from(csrfTokenOf(token))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new SvcError('csrf-token-invalid')
}

/**
 * The user of the browser session that a request carries; null without a session cookie or when it ended, which a
 * browser cannot help sending.
 * @throws SvcError `csrf-token-invalid` when it changes something and does not carry the session's CSRF token
 */
export async function readSession(db: Database, request: Request, now: number): Promise<string | null> {
  const token = sessionTokenOf(request)
  if (token === null || token === '') return null
  const [row] = await db.read
    .select({
      id: sessions.id,
      userId: sessions.userId,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
      status: users.status,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, hashSecret(token)))
  if (row === undefined || row.status !== 'active') return null
  if (row.expiresAt <= isoOf(now) || row.lastSeenAt <= isoOf(now - sessionIdleMs)) return null
  assertSameOrigin(request, token)
  if (row.lastSeenAt <= isoOf(now - touchEveryMs)) {
    await db.inTransaction((tx) =>
      tx
        .update(sessions)
        .set({ lastSeenAt: isoOf(now) })
        .where(eq(sessions.id, row.id)),
    )
  }
  return row.userId
}
