/** The second step of signing in: nothing of an account is given out before it. */
import type { Transaction } from '../../db/database.ts'
import type { FactorMethod } from '../../src/api/second-factors.ts'
import { SvcError } from '../../src/errors.ts'
import { hasSecondFactor, recordAudit, type Source, spendAddress } from '../auth/door.ts'
import { userOf, type UserRow } from '../users/door.ts'
import { countAttempt } from './attempts.ts'
import { type AppDeps, findApp, useAppCode } from './authenticator-app.ts'
import { lockFactors } from './factors.ts'
import { countCodes, useCode } from './recovery-codes.ts'
import { findTicket, issueTicket, takeTicket, ticketSeconds } from './tickets.ts'

/** What a person proves in the second step. */
export interface SecondProof {
  readonly ticket: string
  readonly code?: string
  readonly recovery_code?: string
}

/** A sign-in that both steps are done of. */
export interface FinishedSignIn {
  readonly user: UserRow
  readonly method: FactorMethod
  /** The invitation that it accepts; null: none. */
  readonly invitationId: string | null
}

async function methodsOf({ db }: AppDeps, userId: string): Promise<FactorMethod[]> {
  const app = await findApp(db.read, userId)
  const { left } = await countCodes(db.read, userId)
  return [...(app === null ? [] : ['totp' as const]), ...(left === 0 ? [] : ['recovery-code' as const])]
}

/**
 * Called with the person who showed the right password, before anything is given to them.
 * @param invitationId the invitation that the sign-in accepts
 * @throws SvcError `second-factor-required` with a ticket, for people who have a second factor
 */
export async function assertSecondFactor(
  deps: AppDeps,
  user: UserRow,
  invitationId: string | null = null,
): Promise<void> {
  if (!(await hasSecondFactor(deps.db.read, user.id))) return
  const facts = { userId: user.id, purpose: 'sign-in', invitationId } as const
  const ticket = await deps.db.inTransaction((tx) => issueTicket(tx, facts, deps.clock.now()))
  const methods = await methodsOf(deps, user.id)
  throw new SvcError('second-factor-required', { methods, ticket, expires_in: ticketSeconds })
}

/** The one proof that was given. @throws SvcError `second-factor-wrong` where it is not exactly one */
function methodOf({ code, recovery_code: recovery }: SecondProof): FactorMethod {
  if ((code === undefined) === (recovery === undefined))
    throw new SvcError('second-factor-wrong', { reason: 'send either code or recovery_code' })
  return code === undefined ? 'recovery-code' : 'totp'
}

async function prove(deps: AppDeps, tx: Transaction, userId: string, proof: SecondProof): Promise<boolean> {
  const { code, recovery_code: recovery } = proof
  if (code !== undefined) return useAppCode(deps, tx, userId, code)
  if (!(await useCode(tx, userId, recovery ?? '', deps.clock.now()))) return false
  const { left } = await countCodes(tx, userId)
  const actor = { kind: 'user', userId, via: 'session' } as const
  const action = 'user.recovery-code-used'
  await recordAudit(tx, { tenantId: null, actor, action, targetId: userId, detail: { left }, at: deps.clock.iso() })
  return true
}

/**
 * Finishes a sign-in with the second factor of the person of its ticket. A wrong one leaves the ticket as it is; the right one
 * uses it up.
 * @throws SvcError `sign-in-ticket-invalid`, `second-factor-wrong`, `auth-rate-limited`, `credentials-invalid` for a disabled account
 */
export async function finishSignIn(deps: AppDeps, proof: SecondProof, source: Source): Promise<FinishedSignIn> {
  const { db, clock } = deps
  const method = methodOf(proof)
  const ticket = await findTicket(db.read, proof.ticket, 'sign-in', clock.now())
  if (ticket?.userId == null) {
    await spendAddress(db, source.address, clock.now())
    throw new SvcError('sign-in-ticket-invalid')
  }
  const { userId, invitationId } = ticket
  const forgive = await countAttempt(deps, userId, source)
  await db.inTransaction(async (tx) => {
    await lockFactors(tx, userId)
    // Asked again under the lock: of two that use one ticket at once one has it.
    if ((await findTicket(tx, proof.ticket, 'sign-in', clock.now())) === null)
      throw new SvcError('sign-in-ticket-invalid')
    if (!(await prove(deps, tx, userId, proof)))
      throw new SvcError('second-factor-wrong', { reason: 'it is not the right one, or it was used before' })
    await takeTicket(tx, proof.ticket, 'sign-in', clock.now())
    await forgive(tx)
  })
  const user = await userOf(db.read, userId)
  if (user.status !== 'active') throw new SvcError('credentials-invalid', { reason: 'the account is disabled' })
  return { user, method, invitationId }
}
