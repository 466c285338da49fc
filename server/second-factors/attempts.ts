import { SvcError } from '../../src/errors.ts'
import {
  admit,
  browserKey,
  findKnown,
  forgive,
  forgiveAccount,
  networkKey,
  type Source,
  spendAddress,
  spendBrowser,
  type Target,
} from '../auth/door.ts'
import type { Transaction } from '../../db/database.ts'
import type { Store } from '../kit/door.ts'

/** What failures of the second factor are counted by: not by the account itself, whose passwords have a count of their own. */
const accountOf = (userId: string): string => `second-factor:${userId}`

/** Everywhere that the person has not signed in from. */
const elsewhere = 'elsewhere'

/** Whether a proof is one of few: codes of an app are, the 80 bits of a recovery code and the signature of a passkey are not. */
export type Guessability = 'guessable' | 'unguessable'

/**
 * Counts an attempt at the second factor of a person as failed beforehand. Codes of an app from everywhere that the person has not signed in
 * from count together, since who gets here has the password: a million codes must not be shared out among many networks. A
 * browser and a network of the person have counts of their own, and so has each network for what no one can guess: a stranger
 * with the password cannot keep the person out who has a recovery code or a passkey.
 * @returns what takes the attempt back within a transaction once it was right
 * @throws SvcError `auth-rate-limited`
 */
export async function countAttempt(
  deps: Store,
  userId: string,
  { address, browser }: Source,
  proof: Guessability,
): Promise<(tx: Transaction) => Promise<void>> {
  // A call in-process has the database anyway: nothing is counted.
  if (address === null) return () => Promise.resolve()
  const { db, clock } = deps
  const network = networkKey(address)
  const sources = browser === null ? [network] : [browserKey(browser), network]
  const known = await findKnown(db.read, [userId], sources)
  const strange = proof === 'guessable' ? elsewhere : network
  const source = sources.find((it) => known.has(`${userId} ${it}`)) ?? strange
  const now = clock.now()
  await (source !== elsewhere && source !== network ? spendBrowser(db, source, now) : spendAddress(db, address, now))
  const target: Target = { account: accountOf(userId), source, isKnown: true }
  const { admitted, waitMs } = await admit(db, [target], network, now)
  if (admitted.size === 0) throw new SvcError('auth-rate-limited', { retry_after: Math.ceil(waitMs / 1000) })
  return (tx) => forgive(tx, target, { network, isOnly: true, now: clock.now() })
}

/** Forgets every failure at the second factor of a person. */
export const forgiveAttempts = (tx: Transaction, userId: string): Promise<unknown> =>
  forgiveAccount(tx, accountOf(userId))
