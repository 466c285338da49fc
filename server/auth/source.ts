/** Where a sign-in comes from, and what is remembered of it after a success. */
import { and, asc, desc, eq, inArray, lt, notInArray } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { knownSources } from '../../db/tables.gen.ts'
import { setCookie } from './cookie.ts'
import { addressOf, networkOf } from './address.ts'
import { hashSecret, randomBase62 } from './key-format.ts'

export const browserCookie = 'svc_browser'
/** A source is forgotten after so long without a sign-in. */
export const knownLifeMs = 90 * 24 * 3_600_000
/** As many sources are remembered of a person; those not seen for longest go first. */
export const maxKnownSources = 50

const browserShape = /^[0-9A-Za-z]{43}$/

/** A request as limits of signing in see it. In-process calls have neither. */
export interface Source {
  /** The address of the caller; null for a call in-process. */
  readonly address: string | null
  /** The value of the cookie that a browser got when someone signed in with it. */
  readonly browser: string | null
}

/** Where a request comes from. */
export function sourceOf(request: Request): Source {
  const value = new Bun.CookieMap(request.headers.get('cookie') ?? '').get(browserCookie) ?? ''
  return { address: addressOf(request), browser: browserShape.test(value) ? value : null }
}

/** The network of an address as rows name it. */
export const networkKey = (address: string): string => `network:${hashSecret(networkOf(address))}`

/** A browser as rows name it. */
export const browserKey = (cookie: string): string => `browser:${hashSecret(cookie)}`

/** Which of these sources each of these people has signed in from: "<user id> <source>". */
export async function findKnown(
  reader: Reader,
  userIds: readonly string[],
  sources: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader
    .select({ userId: knownSources.userId, source: knownSources.source })
    .from(knownSources)
    .where(and(inArray(knownSources.userId, [...userIds]), inArray(knownSources.source, [...sources])))
  return new Set(rows.map((it) => `${it.userId} ${it.source}`))
}

async function remember(tx: Transaction, userId: string, source: string, now: number): Promise<void> {
  const seenAt = isoOf(now)
  await tx
    .insert(knownSources)
    .values({ userId, source, seenAt })
    .onConflictDoUpdate({ target: [knownSources.userId, knownSources.source], set: { seenAt } })
  const kept = tx
    .select({ source: knownSources.source })
    .from(knownSources)
    .where(eq(knownSources.userId, userId))
    .orderBy(desc(knownSources.seenAt), asc(knownSources.source))
    .limit(maxKnownSources)
  await tx.delete(knownSources).where(and(eq(knownSources.userId, userId), notInArray(knownSources.source, kept)))
}

/** Remembers the network that a person has signed in from. */
export async function rememberNetwork(tx: Transaction, userId: string, source: Source, now: number): Promise<void> {
  if (source.address !== null) await remember(tx, userId, networkKey(source.address), now)
}

/**
 * Remembers the browser that a person has signed in with.
 * @returns the cookie that tells it apart from now on
 */
export async function rememberBrowser(
  tx: Transaction,
  userId: string,
  { browser }: Source,
  facts: { readonly now: number; readonly secure: boolean },
): Promise<string> {
  // A value that is no one's may have been planted by someone who would then pass for this browser.
  const shared =
    browser === null
      ? []
      : await tx
          .select()
          .from(knownSources)
          .where(eq(knownSources.source, browserKey(browser)))
          .limit(1)
  const value = browser !== null && shared.length > 0 ? browser : randomBase62(43)
  await remember(tx, userId, browserKey(value), facts.now)
  const maxAge = knownLifeMs / 1000
  return setCookie(browserCookie, value, { path: '/', maxAge, sameSite: 'lax', secure: facts.secure })
}

/** Forgets sources that no one signed in from for long. */
export const sweepSources = (tx: Transaction, now: number): Promise<unknown> =>
  tx.delete(knownSources).where(lt(knownSources.seenAt, isoOf(now - knownLifeMs)))
