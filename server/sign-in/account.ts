import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { refreshTokens, sessions, users } from '../../db/tables.gen.ts'
import type { SignInRecord } from '../../src/api/account.ts'
import type { UserRecord } from '../../src/api/auth.ts'
import { SvcError } from '../../src/errors.ts'
import type { Store } from '../kit/door.ts'
import { userOf, userRecord } from '../users/door.ts'
import {
  endSessionsOf,
  endSignInsOf,
  type Grant,
  hashSecret,
  personOf,
  recordAudit,
  revokeFamily,
  sessionIdleMs,
} from '../auth/door.ts'

const listed = 100

/**
 * Changes the name of the person who asks.
 * @returns the person
 */
export async function renameAccount(deps: Store, grant: Grant, given: string): Promise<UserRecord> {
  const userId = personOf(grant)
  const name = given.trim()
  return deps.db.inTransaction(async (tx) => {
    const before = await userOf(tx, userId)
    const at = isoOf(deps.clock.now())
    if (before.name !== name) {
      await tx.update(users).set({ name, updatedAt: at }).where(eq(users.id, userId))
      const detail = { from: before.name, to: name }
      await recordAudit(tx, {
        tenantId: null,
        actor: grant.principal,
        action: 'user.renamed',
        targetId: userId,
        detail,
        at,
      })
    }
    return { ...userRecord(before), name }
  })
}

/** Tokens that a program can still renew its sign-in with. */
const usable = (userId: string, now: number) =>
  and(
    eq(refreshTokens.userId, userId),
    isNull(refreshTokens.revokedAt),
    isNull(refreshTokens.usedAt),
    gt(refreshTokens.expiresAt, isoOf(now)),
  )

/** A program that two tabs renewed at once has two tokens: it is one sign-in. */
const newestOf = <T extends { readonly familyId: string }>(newestFirst: readonly T[]): readonly T[] => [
  ...new Map(newestFirst.toReversed().map((it) => [it.familyId, it])).values(),
]

const liveSessions = (userId: string, now: number) =>
  and(
    eq(sessions.userId, userId),
    gt(sessions.expiresAt, isoOf(now)),
    gt(sessions.lastSeenAt, isoOf(now - sessionIdleMs)),
  )

/**
 * Where the person who asks is signed in.
 * @param token the secret of the session that asks
 * @returns that session, then browsers and programs, the last used first
 */
export async function listSignIns(deps: Store, grant: Grant, token: string | null): Promise<SignInRecord[]> {
  const userId = personOf(grant)
  const now = deps.clock.now()
  const { read } = deps.db
  const browsers = await read
    .select()
    .from(sessions)
    .where(liveSessions(userId, now))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(listed)
  const programs = await read
    .select()
    .from(refreshTokens)
    .where(usable(userId, now))
    .orderBy(desc(refreshTokens.createdAt), desc(refreshTokens.id))
    .limit(listed)
  const hash = token === null ? null : hashSecret(token)
  const records = [
    ...browsers.map((browser) => ({
      id: browser.id,
      kind: 'browser' as const,
      user_agent: browser.userAgent,
      created_at: browser.createdAt,
      last_seen_at: browser.lastSeenAt,
      expires_at: browser.expiresAt,
      current: browser.tokenHash === hash,
    })),
    ...newestOf(programs).map((program) => ({
      id: program.familyId,
      kind: 'program' as const,
      user_agent: '',
      created_at: program.createdAt,
      last_seen_at: program.createdAt,
      expires_at: program.expiresAt,
      current: false,
    })),
  ]
  const rank = (it: SignInRecord): string => `${it.current ? 1 : 0}${it.last_seen_at}`
  return records.toSorted((a, b) => {
    if (rank(a) < rank(b)) return 1
    return rank(a) > rank(b) ? -1 : 0
  })
}

/**
 * Ends one sign-in of the person who asks.
 * @throws SvcError `sign-in-not-found`, also for one of another person
 */
export async function endOneSignIn(deps: Store, grant: Grant, id: string): Promise<void> {
  const userId = personOf(grant)
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    const [browser] = await tx
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
      .returning({ id: sessions.id })
    if (browser === undefined) {
      const own = and(usable(userId, now), eq(refreshTokens.familyId, id))
      const [program] = await tx.select({ id: refreshTokens.id }).from(refreshTokens).where(own)
      if (program === undefined) throw new SvcError('sign-in-not-found')
      await revokeFamily(tx, id, now)
    }
    await recordAudit(tx, {
      tenantId: null,
      actor: grant.principal,
      action: 'user.sign-in-ended',
      targetId: userId,
      detail: { kind: browser === undefined ? 'program' : 'browser' },
      at: isoOf(now),
    })
  })
}

/**
 * Ends every sign-in of the person who asks but the session of `token`.
 * @returns how many there were
 */
export async function endOtherSignIns(deps: Store, grant: Grant, token: string | null): Promise<number> {
  const userId = personOf(grant)
  const others = (await listSignIns(deps, grant, token)).filter((it) => !it.current).length
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    await endSessionsOf(tx, userId, token)
    await endSignInsOf(tx, userId, now)
    await recordAudit(tx, {
      tenantId: null,
      actor: grant.principal,
      action: 'user.sign-in-ended',
      targetId: userId,
      detail: { count: others },
      at: isoOf(now),
    })
  })
  return others
}
