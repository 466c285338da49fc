import { SvcError } from '../../src/errors.ts'
import type { Store } from '../kit/door.ts'
import { type CandidateQuery, findCandidates } from './candidates.ts'
import type { UserRow } from './find.ts'
import {
  admit,
  browserKey,
  findKnown,
  forgive,
  hashSecret,
  matchPasswords,
  networkKey,
  type Source,
  spendAddress,
  spendBrowser,
  type Target,
} from '../auth/door.ts'

/** The first of the accounts that a password opens. */
async function matchOf(candidates: readonly UserRow[], password: string): Promise<UserRow | null> {
  const matches = await matchPasswords(
    password,
    candidates.map((it) => it.passwordHash),
  )
  return candidates.find(({ status }, at) => status === 'active' && matches[at] === true) ?? null
}

/** What an attempt on an account is counted by: the account with the browser or the network that it comes from. */
async function targetsBy(deps: Store, accounts: readonly string[], network: string, browser: string | null) {
  const sources = browser === null ? [network] : [browser, network]
  const known = await findKnown(deps.db.read, accounts, sources)
  return (account: string): Target => {
    const source = sources.find((it) => known.has(`${account} ${it}`))
    return { account, source: source ?? network, isKnown: source !== undefined }
  }
}

/**
 * Tries a password on accounts, with what the limits of signing in let through.
 * @param `given.nobody` what an address without accounts is counted by
 * @throws SvcError `credentials-invalid`, `auth-rate-limited`
 */
async function tryPassword(
  deps: Store,
  given: {
    readonly candidates: readonly UserRow[]
    readonly nobody: string
    readonly password: string
    readonly source: Source
  },
): Promise<UserRow> {
  const { db, clock } = deps
  const { candidates, password, source } = given
  const { address } = source
  const refused = new SvcError('credentials-invalid', { reason: 'the e-mail address or the password is wrong' })
  // A call in-process has the database anyway: nothing is counted.
  if (address === null) {
    const user = await matchOf(candidates, password)
    if (user === null) throw refused
    return user
  }
  const network = networkKey(address)
  const browser = source.browser === null ? null : browserKey(source.browser)
  const accounts = candidates.length === 0 ? [given.nobody] : candidates.map((it) => it.id)
  const targetOf = await targetsBy(deps, accounts, network, browser)
  const targets = accounts.map(targetOf)
  const knownBrowser = targets.some((it) => it.source === browser) ? browser : null
  await (knownBrowser === null ? spendAddress(db, address, clock.now()) : spendBrowser(db, knownBrowser, clock.now()))
  const { admitted, waitMs } = await admit(db, targets, network, clock.now())
  if (admitted.size === 0) throw new SvcError('auth-rate-limited', { retry_after: Math.ceil(waitMs / 1000) })
  const user = await matchOf(
    candidates.filter((it) => admitted.has(it.id)),
    password,
  )
  if (user === null) throw refused
  await db.inTransaction(async (tx) => {
    await forgive(tx, targetOf(user.id), { network, isOnly: targets.length === 1, now: clock.now() })
  })
  return user
}

/**
 * The person of an e-mail address and password. An unknown address, a wrong password and a disabled account get the
 * same words after the same time. Where an address has several accounts, the password says which one is meant.
 * @throws SvcError `credentials-invalid`, `auth-rate-limited`
 */
export async function checkPassword(
  deps: Store,
  given: CandidateQuery & { readonly password: string; readonly source: Source },
): Promise<UserRow> {
  const { password, source } = given
  const candidates = await findCandidates(deps.db.read, given)
  const nobody = `email:${hashSecret(given.email.trim().toLowerCase())}`
  return tryPassword(deps, { candidates, nobody, password, source })
}

/**
 * Asks a person for their password once more.
 * @throws SvcError `credentials-invalid`, `auth-rate-limited`
 */
export async function confirmPassword(deps: Store, user: UserRow, password: string, source: Source): Promise<void> {
  await tryPassword(deps, { candidates: [user], nobody: user.id, password, source })
}
