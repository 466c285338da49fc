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

/**
 * How a proof is counted where the person has not signed in from: a single code of an app, one of a million, together with those from all
 * such places; two consecutive codes (one of 10^12 pairs), the 80 bits of a recovery code and the signature of a passkey for each network.
 */
export type Counting = 'together' | 'by-network'

/**
 * Counts an attempt at the second factor of a person as failed beforehand. Codes of an app from everywhere that the person has not signed in
 * from count together, since who gets here has the password: a million codes must not be shared out among many networks. A
 * browser and a network of the person have counts of their own, and so has each network for what no one can guess. So a stranger
 * with the password cannot keep the person out: after too many wrong codes from unknown places two consecutive ones are asked for.
 * @returns what takes the attempt back within a transaction once it was right
 * @throws SvcError `auth-rate-limited`, `next-code-required` where two consecutive codes would be taken
 */
export async function countAttempt(
  deps: Store,
  userId: string,
  { address, browser }: Source,
  counting: Counting,
): Promise<(tx: Transaction) => Promise<void>> {
  // A call in-process has the database anyway: nothing is counted.
  if (address === null) return () => Promise.resolve()
  const { db, clock } = deps
  const network = networkKey(address)
  const sources = browser === null ? [network] : [browserKey(browser), network]
  const known = await findKnown(db.read, [userId], sources)
  const strange = counting === 'together' ? elsewhere : network
  const source = sources.find((it) => known.has(`${userId} ${it}`)) ?? strange
  const now = clock.now()
  await (source !== elsewhere && source !== network ? spendBrowser(db, source, now) : spendAddress(db, address, now))
  const target: Target = { account: accountOf(userId), source, isKnown: true }
  const { admitted, waitMs } = await admit(db, [target], network, now)
  if (admitted.size === 0) {
    const detail = { retry_after: Math.ceil(waitMs / 1000) }
    throw source === elsewhere ? new SvcError('next-code-required', detail) : new SvcError('auth-rate-limited', detail)
  }
  return (tx) => forgive(tx, target, { network, isOnly: true, now: clock.now() })
}

/** Forgets every failure at the second factor of a person. */
export const forgiveAttempts = (tx: Transaction, userId: string): Promise<unknown> =>
  forgiveAccount(tx, accountOf(userId))
