/** The passkeys of people (WebAuthn Level 2): adding them, and proving that one is there. */
import { and, asc, count, eq } from 'drizzle-orm'
import type { Reader, Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { passkeys } from '../../db/tables.gen.ts'
import type { PasskeyAnswer, PasskeyRecord, PasskeyRegistration } from '../../src/api/second-factors.ts'
import { SvcError } from '../../src/errors.ts'
import { recordAudit } from '../auth/door.ts'
import type { UserRow } from '../users/door.ts'
import type { AppDeps } from './authenticator-app.ts'
import type { RelyingParty } from './relying-party.ts'

export type PasskeyRow = typeof passkeys.$inferSelect

export const mostPasskeys = 10
/** EdDSA, ECDSA with P-256, RSA with PKCS#1 (IANA COSE algorithms): what authenticators have. */
const algorithms = [-8, -7, -257]
const timeoutMs = 5 * 60_000

// Parsers of certificates come with it: only who has passkeys loads them.
const webauthn = () => import('@simplewebauthn/server')

const refused = (reason: string): SvcError => new SvcError('passkey-refused', { reason })

export const passkeyRecord = (row: PasskeyRow): PasskeyRecord => ({
  id: row.id,
  name: row.name,
  synced: row.isSynced,
  added_at: row.createdAt,
  last_used_at: row.lastUsedAt,
})

/** The passkeys of a person, the oldest first. */
export const listPasskeys = (reader: Reader, userId: string): Promise<PasskeyRow[]> =>
  reader.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt), asc(passkeys.id))

const describe = ({ credentialId, transports }: PasskeyRow) => ({ id: credentialId, transports: [...transports] })

/** What a browser is asked to make: a passkey that the person does not have yet. */
export async function registrationOptions(
  party: RelyingParty,
  user: UserRow,
  own: readonly PasskeyRow[],
  challenge: Uint8Array<ArrayBuffer>,
): Promise<object> {
  if (own.length >= mostPasskeys) throw new SvcError('passkeys-exceeded', { max: mostPasskeys })
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    challenge,
    timeout: timeoutMs,
    attestationType: 'none',
    excludeCredentials: own.map(describe),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: algorithms,
  })
}

/** What a browser is asked to sign. With no passkeys named, the person chooses one and the authenticator verifies them. */
export async function authenticationOptions(
  party: RelyingParty,
  own: readonly PasskeyRow[],
  challenge: Uint8Array<ArrayBuffer>,
): Promise<object> {
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge,
    timeout: timeoutMs,
    userVerification: own.length === 0 ? 'required' : 'preferred',
    ...(own.length === 0 ? {} : { allowCredentials: own.map(describe) }),
  })
}

/**
 * The object of a registration without its attestation. No one asks who made an authenticator, and what proves it holds certificates of a
 * stranger, whose revocation lists would be fetched from wherever they say.
 */
async function withoutAttestation(text: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const given = decodeAttestationObject(isoBase64URL.toBuffer(text))
  const parts = new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', given.get('authData')],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(parts))
}

/** A passkey that a browser made for a challenge. @throws SvcError `passkey-refused` */
async function readRegistration(party: RelyingParty, challenge: string, answer: PasskeyRegistration) {
  const { verifyRegistrationResponse } = await webauthn()
  try {
    const { id, rawId, type, response } = answer
    const attestationObject = await withoutAttestation(response.attestationObject)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, response: { ...response, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    })
    if (verified) return registrationInfo
  } catch {
    // The library says why in words of its own; what it was given is of a stranger.
  }
  throw refused('the answer of the browser is not one to this request, or of another page')
}

/**
 * Reads a passkey that a browser made. What is kept of it is written by `insertPasskey`.
 * @throws SvcError `passkey-refused`
 */
export async function newPasskey(
  party: RelyingParty,
  facts: { readonly userId: string; readonly name: string; readonly challenge: string; readonly at: string },
  answer: PasskeyRegistration,
): Promise<PasskeyRow> {
  const { credential, credentialBackedUp } = await readRegistration(party, facts.challenge, answer)
  return {
    id: newId(),
    userId: facts.userId,
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: (answer.response.transports ?? []).slice(0, 10),
    isSynced: credentialBackedUp,
    name: facts.name,
    createdAt: facts.at,
    lastUsedAt: null,
  }
}

/**
 * Keeps a passkey. The person is locked.
 * @throws SvcError `passkeys-exceeded`, `passkey-refused` for one that someone has already
 */
export async function insertPasskey(tx: Transaction, row: PasskeyRow): Promise<void> {
  const [own] = await tx.select({ n: count() }).from(passkeys).where(eq(passkeys.userId, row.userId))
  if ((own?.n ?? 0) >= mostPasskeys) throw new SvcError('passkeys-exceeded', { max: mostPasskeys })
  try {
    await tx.savepoint((inner) => inner.insert(passkeys).values(row))
  } catch (error) {
    if (isUniqueViolation(error)) throw refused('it belongs to an account already')
    throw error
  }
}

/** The passkey that an answer was signed with; null where it is not known here. */
export async function findPasskey(reader: Reader, answer: PasskeyAnswer): Promise<PasskeyRow | null> {
  const [row] = await reader.select().from(passkeys).where(eq(passkeys.credentialId, answer.id))
  return row ?? null
}

/** What a person who signs in with a passkey alone is said to be: the user handle of WebAuthn. */
const handleOf = (userId: string): string => Buffer.from(userId).toString('base64url')

/**
 * The counter of an answer that was signed with a passkey for a challenge and an origin.
 * @param facts.verifies whether the authenticator must have verified the person
 * @throws SvcError `passkey-refused`
 */
export async function readAnswer(
  party: RelyingParty,
  row: PasskeyRow,
  facts: { readonly challenge: string; readonly verifies: boolean },
  answer: PasskeyAnswer,
): Promise<number> {
  const { id, rawId, type, response } = answer
  const { userHandle, ...signed } = response
  const { verifyAuthenticationResponse } = await webauthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type, response: signed, clientExtensionResults: {} },
      expectedChallenge: facts.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      // The counter is compared where it is written, under a lock.
      credential: { id: row.credentialId, publicKey: new Uint8Array(row.publicKey), counter: 0 },
      requireUserVerification: facts.verifies,
    })
    const isOwn = userHandle == null || userHandle === handleOf(row.userId)
    if (verified && isOwn) return authenticationInfo.newCounter
  } catch {
    // As above.
  }
  throw refused('the answer of the browser is not one to this request, of another page, or signed by another passkey')
}

/**
 * Notes that a passkey was used. The person is locked.
 * @returns false where its counter went back, or it was removed meanwhile: someone has a copy of it
 */
export async function usePasskey(deps: AppDeps, tx: Transaction, row: PasskeyRow, counter: number): Promise<boolean> {
  const own = eq(passkeys.id, row.id)
  const [present] = await tx.select({ counter: passkeys.counter }).from(passkeys).where(own)
  if (present === undefined) return false
  if ((counter > 0 || present.counter > 0) && counter <= present.counter) return false
  await tx.update(passkeys).set({ counter, lastUsedAt: deps.clock.iso() }).where(own)
  return true
}

/** Writes down that the counter of a passkey went back. */
export async function noteCopy(deps: AppDeps, row: PasskeyRow): Promise<void> {
  const detail = { name: row.name }
  const action = 'user.passkey-counter-refused'
  await deps.db.inTransaction((tx) =>
    recordAudit(tx, { tenantId: null, actor: null, action, targetId: row.userId, detail, at: deps.clock.iso() }),
  )
}

const isOf = (userId: string, id: string) => and(eq(passkeys.userId, userId), eq(passkeys.id, id))

/** Renames a passkey of a person. @throws SvcError `second-factor-not-found` */
export async function renamePasskey(tx: Transaction, userId: string, id: string, name: string): Promise<PasskeyRow> {
  const [row] = await tx.update(passkeys).set({ name }).where(isOf(userId, id)).returning()
  if (row === undefined) throw new SvcError('second-factor-not-found', { factor: 'such passkey' })
  return row
}

/** Removes a passkey of a person. @returns whether there was one */
export async function removePasskey(tx: Transaction, userId: string, id: string): Promise<boolean> {
  const removed = await tx.delete(passkeys).where(isOf(userId, id)).returning({ id: passkeys.id })
  return removed.length > 0
}
