/** The second step of signing in: nothing of an account is given out before it. */
import type { Transaction } from '../../db/database.ts'
import type { FactorMethod, PasskeyAnswer } from '../../src/api/second-factors.ts'
import { SvcError } from '../../src/errors.ts'
import { hasSecondFactor, recordAudit, type Source, spendAddress } from '../auth/door.ts'
import { userOf, type UserRow } from '../users/door.ts'
import { countAttempt } from './attempts.ts'
import { type AppDeps, findApp, useAppCode } from './authenticator-app.ts'
import { lockFactors } from './factors.ts'
import {
  authenticationOptions,
  findPasskey,
  listPasskeys,
  noteCopy,
  type PasskeyRow,
  readAnswer,
  usePasskey,
} from './passkeys.ts'
import { countCodes, useCode } from './recovery-codes.ts'
import { newChallenge } from './registration.ts'
import type { RelyingParty } from './relying-party.ts'
import {
  findTicket,
  issueTicket,
  setChallenge,
  takeChallenge,
  takeTicket,
  type Ticket,
  type TicketPurpose,
  ticketSeconds,
} from './tickets.ts'

/** What a person proves in the second step. */
export interface SecondProof {
  readonly ticket: string
  readonly code?: string
  /** The code that the app shows after `code`. */
  readonly next_code?: string
  readonly recovery_code?: string
  readonly passkey?: PasskeyAnswer
}

/** How a sign-in was proven, for the audit trail. */
type ProofNote = { readonly via?: 'passkey'; readonly second_factor?: FactorMethod }

/** A sign-in that is proven. */
export interface FinishedSignIn {
  readonly user: UserRow
  readonly proof: ProofNote
  /** The invitation that it accepts; null: none. */
  readonly invitationId: string | null
}

/** The ways to sign in: programs cannot use passkeys. */
type Way = 'program' | 'browser'

async function methodsOf({ db }: AppDeps, userId: string, way: Way): Promise<FactorMethod[]> {
  const app = await findApp(db.read, userId)
  const own = way === 'program' ? [] : await listPasskeys(db.read, userId)
  const { left } = await countCodes(db.read, userId)
  return [
    ...(own.length === 0 ? [] : ['passkey' as const]),
    ...(app === null ? [] : ['totp' as const]),
    ...(left === 0 ? [] : ['recovery-code' as const]),
  ]
}

/**
 * Called with the person who showed the right password, before anything is given to them.
 * @param facts.invitationId the invitation that the sign-in accepts
 * @throws SvcError `second-factor-required` with a ticket, for people who have a second factor
 */
export async function assertSecondFactor(
  deps: AppDeps,
  user: UserRow,
  facts: { readonly way: Way; readonly invitationId?: string },
): Promise<void> {
  if (!(await hasSecondFactor(deps.db.read, user.id))) return
  const { way, invitationId = null } = facts
  const given = { userId: user.id, purpose: 'sign-in', invitationId } as const
  const ticket = await deps.db.inTransaction((tx) => issueTicket(tx, given, deps.clock.now()))
  const methods = await methodsOf(deps, user.id, way)
  throw new SvcError('second-factor-required', { methods, ticket, expires_in: ticketSeconds })
}

/** The one proof that was given. @throws SvcError `second-factor-wrong` where it is not exactly one */
function methodOf({ code, next_code: next, recovery_code: recovery, passkey }: SecondProof): FactorMethod {
  const given: FactorMethod[] = [
    ...(code === undefined ? [] : ['totp' as const]),
    ...(recovery === undefined ? [] : ['recovery-code' as const]),
    ...(passkey === undefined ? [] : ['passkey' as const]),
  ]
  const [method] = given
  if (method === undefined || given.length > 1)
    throw new SvcError('second-factor-wrong', { reason: 'send exactly one of code, recovery_code and passkey' })
  if (next !== undefined && method !== 'totp')
    throw new SvcError('second-factor-wrong', { reason: 'send next_code together with code only' })
  return method
}

/** The ticket of a request. A guessed one counts as an attempt of its network. @throws SvcError `sign-in-ticket-invalid`, `auth-rate-limited` */
async function ticketOf(
  { db, clock }: AppDeps,
  token: string,
  purposes: readonly TicketPurpose[],
  source: Source,
): Promise<Ticket> {
  const ticket = await findTicket(db.read, token, purposes, clock.now())
  if (ticket !== null) return ticket
  await spendAddress(db, source.address, clock.now())
  throw new SvcError('sign-in-ticket-invalid')
}

/**
 * What a browser needs to sign with a passkey.
 * @param token the ticket of a sign-in whose password was right; null: the passkey alone signs in
 * @throws SvcError `sign-in-ticket-invalid`, `second-factor-not-found`, `auth-rate-limited`
 */
export async function beginPasskey(
  deps: AppDeps,
  party: RelyingParty,
  token: string | null,
  source: Source,
): Promise<{ readonly ticket: string; readonly options: object }> {
  const { db, clock } = deps
  const { bytes, text: challenge } = newChallenge()
  if (token === null) {
    await spendAddress(db, source.address, clock.now())
    const facts = { userId: null, purpose: 'passkey-sign-in', challenge } as const
    const ticket = await db.inTransaction((tx) => issueTicket(tx, facts, clock.now()))
    return { ticket, options: await authenticationOptions(party, [], bytes) }
  }
  const ticket = await ticketOf(deps, token, ['sign-in'], source)
  const own = ticket.userId === null ? [] : await listPasskeys(db.read, ticket.userId)
  if (own.length === 0) throw new SvcError('second-factor-not-found', { factor: 'passkey' })
  await db.inTransaction((tx) => setChallenge(tx, ticket, challenge))
  return { ticket: token, options: await authenticationOptions(party, own, bytes) }
}

/** A passkey that signed, and its counter. */
interface Signed {
  readonly row: PasskeyRow
  readonly counter: number
}

/**
 * The passkey that signed the challenge of a ticket, which is used up by that.
 * @throws SvcError `passkey-refused`, `sign-in-ticket-invalid` where no challenge waits
 */
async function signedBy(deps: AppDeps, party: RelyingParty, ticket: Ticket, answer: PasskeyAnswer): Promise<Signed> {
  const { db } = deps
  const challenge = await db.inTransaction((tx) => takeChallenge(tx, ticket))
  if (challenge === null) throw new SvcError('sign-in-ticket-invalid')
  const row = await findPasskey(db.read, answer)
  if (row === null || (ticket.userId !== null && row.userId !== ticket.userId))
    throw new SvcError('passkey-refused', { reason: 'it is not a passkey of an account here, or was removed' })
  // In place of the password too, it has to be more than something that was found.
  const counter = await readAnswer(party, row, { challenge, verifies: ticket.userId === null }, answer)
  return { row, counter }
}

async function proveByCode(deps: AppDeps, tx: Transaction, userId: string, proof: SecondProof): Promise<boolean> {
  const { code, next_code: next, recovery_code: recovery } = proof
  if (code !== undefined) return useAppCode(deps, tx, userId, next === undefined ? code : [code, next])
  if (!(await useCode(tx, userId, recovery ?? '', deps.clock.now()))) return false
  const { left } = await countCodes(tx, userId)
  const actor = { kind: 'user', userId, via: 'session' } as const
  const action = 'user.recovery-code-used'
  await recordAudit(tx, { tenantId: null, actor, action, targetId: userId, detail: { left }, at: deps.clock.iso() })
  return true
}

/** What a wrong proof is answered with. */
async function refuse(deps: AppDeps, signed: Signed | null): Promise<never> {
  if (signed === null)
    throw new SvcError('second-factor-wrong', { reason: 'it is not the right one, or it was used before' })
  await noteCopy(deps, signed.row)
  throw new SvcError('passkey-refused', { reason: 'its counter went back, so it may have been copied' })
}

/**
 * Finishes a sign-in with a second factor, or with a passkey alone. A wrong code leaves the ticket as it is; the right one
 * uses it up. A passkey uses its challenge up in any case.
 * @param party null where no passkey is taken
 * @throws SvcError `sign-in-ticket-invalid`, `second-factor-wrong`, `next-code-required`, `passkey-refused`, `auth-rate-limited`,
 *   `credentials-invalid` for a disabled account
 */
export async function finishSignIn(
  deps: AppDeps,
  proof: SecondProof,
  source: Source,
  party: RelyingParty | null = null,
): Promise<FinishedSignIn> {
  const { db, clock } = deps
  const method = methodOf(proof)
  const { passkey } = proof
  const ticket = await ticketOf(deps, proof.ticket, passkey ? ['sign-in', 'passkey-sign-in'] : ['sign-in'], source)
  const counting = method === 'totp' && proof.next_code === undefined ? 'together' : 'by-network'
  const forgive = ticket.userId === null ? null : await countAttempt(deps, ticket.userId, source, counting)
  if (ticket.userId === null) await spendAddress(db, source.address, clock.now())
  const signed = passkey && party ? await signedBy(deps, party, ticket, passkey) : null
  const userId = ticket.userId ?? signed?.row.userId
  if (userId === undefined) throw new SvcError('sign-in-ticket-invalid')
  const isRight = await db.inTransaction(async (tx) => {
    await lockFactors(tx, userId)
    const right = signed
      ? await usePasskey(deps, tx, signed.row, signed.counter)
      : await proveByCode(deps, tx, userId, proof)
    if (!right) return false
    // Of two that use one ticket at once one has it; what the other one wrote is undone.
    if (!(await takeTicket(tx, ticket))) throw new SvcError('sign-in-ticket-invalid')
    await forgive?.(tx)
    return true
  })
  if (!isRight) return refuse(deps, signed)
  const user = await userOf(db.read, userId)
  if (user.status !== 'active') throw new SvcError('credentials-invalid', { reason: 'the account is disabled' })
  const note: ProofNote = ticket.userId === null ? { via: 'passkey' } : { second_factor: method }
  return { user, proof: note, invitationId: ticket.invitationId }
}
