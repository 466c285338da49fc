/** Visits of people to git providers: what is begun, and that it ends once, by who began it. */
import { and, eq, gt, isNull, lt, or } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Database } from '../../db/database.ts'
import { removeWhere } from '../../db/remove-where.ts'
import { accountAuthorizations } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { hashSecret, randomBase62, readSession, sessionTokenOf } from '../auth/door.ts'
import { safeReturn } from '../sign-in/door.ts'
import type { Deps } from '../kit/door.ts'
import type { Visit } from '../hosting/door.ts'
import { callbackPath } from './service.ts'

const visitMs = 10 * 60_000
const statePattern = /^[0-9A-Za-z]{43}$/

type Row = typeof accountAuthorizations.$inferSelect
/** What a visit is for. */
export type Purpose = Pick<
  Row,
  'purpose' | 'tenantId' | 'userId' | 'provider' | 'host' | 'owner' | 'returnTo' | 'detail'
>

/** @throws SvcError `return-to-invalid` for anything that could lead out of the application */
export function readReturn(text: string): string {
  if (text !== '/app/' && safeReturn(text) === '/app/')
    throw new SvcError('return-to-invalid', { return_to: text.slice(0, 100) })
  return safeReturn(text)
}

/** @throws SvcError `public-address-missing` */
export function redirectUriOf(deps: Deps): string {
  const base = deps.publicUrl()
  if (base === '') throw new SvcError('public-address-missing')
  return `${base}${callbackPath}`
}

/** The code verifier (RFC 7636): of what travels with the browser, what it keeps, and what is stored, so that none of them is enough. */
const verifierOf = (state: string, salt: string, session: string | null): string =>
  hashSecret(`link:${state}:${salt}:${session ?? ''}`)

/**
 * Begins a visit. A visit that is begun in a browser ends in that browser session; one that is begun with an access token, in any
 * session of the same person.
 * @throws SvcError `public-address-missing`
 */
export async function beginVisit(
  deps: Deps,
  request: Request,
  given: Purpose & { readonly isSession: boolean },
): Promise<Visit & { readonly expiresAt: string }> {
  const redirectUri = redirectUriOf(deps)
  const state = randomBase62(43)
  const salt = randomBase62(43)
  const session = given.isSession ? sessionTokenOf(request) : null
  const now = deps.clock.now()
  const expiresAt = isoOf(now + visitMs)
  const { isSession: _, ...purpose } = given
  await deps.db.inTransaction((tx) =>
    tx.insert(accountAuthorizations).values({
      ...purpose,
      stateHash: hashSecret(state),
      sessionHash: session === null ? null : hashSecret(session),
      salt,
      expiresAt,
    }),
  )
  return { state, verifier: verifierOf(state, salt, session), redirectUri, expiresAt }
}

/** A visit that the browser came back from. */
export interface EndedVisit extends Purpose {
  readonly visit: Visit
  readonly isSession: boolean
}

/**
 * Ends the visit of a state: once, by the person who began it, and in the session where there was one.
 * @returns null where there is none; "sign-in" where no one is signed in, so that the visit can still end
 */
export async function endVisit(
  deps: Deps,
  request: Request,
  state: string | undefined,
): Promise<EndedVisit | 'sign-in' | null> {
  const now = deps.clock.now()
  const userId = await readSession(deps.db, request, now)
  if (userId === null) return 'sign-in'
  if (state === undefined || !statePattern.test(state)) return null
  const session = sessionTokenOf(request) ?? ''
  const { sessionHash, stateHash, expiresAt } = accountAuthorizations
  const [row] = await deps.db.inTransaction((tx) =>
    tx
      .delete(accountAuthorizations)
      .where(
        and(
          eq(stateHash, hashSecret(state)),
          eq(accountAuthorizations.userId, userId),
          or(isNull(sessionHash), eq(sessionHash, hashSecret(session))),
          gt(expiresAt, isoOf(now)),
        ),
      )
      .returning(),
  )
  if (!row) return null
  const isSession = row.sessionHash !== null
  const verifier = verifierOf(state, row.salt, isSession ? session : null)
  return { ...row, isSession, visit: { state, verifier, redirectUri: redirectUriOf(deps) } }
}

/** The visit of a state that was begun in this browser session; it does not end. Null where there is none. */
export async function peekVisit(deps: Deps, request: Request, state: string | undefined): Promise<Purpose | null> {
  const session = sessionTokenOf(request)
  if (session === null || state === undefined || !statePattern.test(state)) return null
  const now = deps.clock.now()
  const userId = await readSession(deps.db, request, now)
  const { stateHash, sessionHash, expiresAt } = accountAuthorizations
  const mine = and(
    eq(stateHash, hashSecret(state)),
    eq(sessionHash, hashSecret(session)),
    eq(accountAuthorizations.userId, userId ?? ''),
    gt(expiresAt, isoOf(now)),
  )
  const [row] = await deps.db.read.select().from(accountAuthorizations).where(mine)
  return row ?? null
}

/** Removes the visits that no one ended. */
export async function sweepVisits(db: Database, now: number): Promise<void> {
  await removeWhere(db, accountAuthorizations, lt(accountAuthorizations.expiresAt, isoOf(now)))
}
