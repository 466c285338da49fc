/** Adding a passkey: what the browser is asked for, and what it answers within five minutes in the same session. */
import { randomBytes } from 'node:crypto'
import type { AddedFactor, PasskeyRecord, PasskeyRegistration } from '../../src/api/second-factors.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, personOf, recordAudit, type Source } from '../auth/door.ts'
import type { AppDeps } from './authenticator-app.ts'
import { lockFactors, noteAdded, personWithPassword } from './factors.ts'
import {
  insertPasskey,
  listPasskeys,
  newPasskey,
  passkeyRecord,
  registrationOptions,
  renamePasskey,
} from './passkeys.ts'
import type { RelyingParty } from './relying-party.ts'
import { findTicket, issueTicket, takeTicket } from './tickets.ts'

const challengeBytes = 32

/** Random bytes for a passkey to sign, and the same as the service keeps them. */
export function newChallenge(): { readonly bytes: Uint8Array<ArrayBuffer>; readonly text: string } {
  const bytes = new Uint8Array(randomBytes(challengeBytes))
  return { bytes, text: Buffer.from(bytes).toString('base64url') }
}

/**
 * Begins to add a passkey.
 * @param given.session the SHA-256 of the session that asks
 * @throws SvcError `password-missing`, `credentials-invalid`, `auth-rate-limited`, `passkeys-exceeded`
 */
export async function beginRegistration(
  deps: AppDeps,
  grant: Grant,
  party: RelyingParty,
  given: { readonly password: string; readonly source: Source; readonly session: string },
): Promise<{ readonly ticket: string; readonly options: object }> {
  const user = await personWithPassword(deps, grant, given.password, given.source)
  const { bytes, text: challenge } = newChallenge()
  const options = await registrationOptions(party, user, await listPasskeys(deps.db.read, user.id), bytes)
  const facts = { userId: user.id, purpose: 'passkey-registration', challenge, sessionHash: given.session } as const
  const ticket = await deps.db.inTransaction((tx) => issueTicket(tx, facts, deps.clock.now()))
  return { ticket, options }
}

/**
 * Adds the passkey that the browser made. The ticket is used up, whatever comes of it.
 * @throws SvcError `sign-in-ticket-invalid`, `passkey-refused`, `passkeys-exceeded`
 */
export async function finishRegistration(
  deps: AppDeps,
  grant: Grant,
  party: RelyingParty,
  given: {
    readonly ticket: string
    readonly name: string
    readonly passkey: PasskeyRegistration
    readonly session: string
  },
): Promise<AddedFactor> {
  const userId = personOf(grant)
  const ticket = await findTicket(deps.db.read, given.ticket, ['passkey-registration'], deps.clock.now())
  const isOwn = ticket?.userId === userId && ticket.sessionHash === given.session
  if (!isOwn || !(await deps.db.inTransaction((tx) => takeTicket(tx, ticket))))
    throw new SvcError('sign-in-ticket-invalid')
  const name = given.name.trim()
  const facts = { userId, name, challenge: ticket.challenge ?? '', at: deps.clock.iso() }
  const row = await newPasskey(party, facts, given.passkey)
  return deps.db.inTransaction(async (tx) => {
    await lockFactors(tx, userId)
    await insertPasskey(tx, row)
    return noteAdded(deps, tx, grant, { method: 'passkey', name })
  })
}

/** Renames a passkey of the person who asks. @throws SvcError `second-factor-not-found` */
export async function renameOwn(deps: AppDeps, grant: Grant, id: string, given: string): Promise<PasskeyRecord> {
  const userId = personOf(grant)
  const name = given.trim()
  return deps.db.inTransaction(async (tx) => {
    const row = await renamePasskey(tx, userId, id, name)
    const action = 'user.passkey-renamed'
    const at = deps.clock.iso()
    await recordAudit(tx, { tenantId: null, actor: grant.principal, action, targetId: userId, detail: { name }, at })
    return passkeyRecord(row)
  })
}
