import { SvcError } from '../../src/errors.ts'

/** Argon2id with the parameters that OWASP's password storage guidance gives as its first choice: 19 MiB, two passes. */
const argon = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

export const passwordMinLength = 12
export const passwordMaxLength = 256

let decoy: Promise<string> | undefined

/**
 * The stored form of a password.
 * @throws SvcError `password-weak` when it is shorter than 12 or longer than 256 characters, is one character
 *   repeated, or contains the account's name.
 */
export async function hashPassword(password: string, account: string): Promise<string> {
  const length = password.length
  const name = account.split('@')[0]?.toLowerCase() ?? ''
  if (length < passwordMinLength) throw new SvcError('password-weak', { reason: `it has ${length} characters` })
  if (length > passwordMaxLength) throw new SvcError('password-weak', { reason: `it has ${length} characters` })
  if (new Set(password).size < 4) throw new SvcError('password-weak', { reason: 'it repeats very few characters' })
  if (name.length >= 4 && password.toLowerCase().includes(name)) {
    throw new SvcError('password-weak', { reason: 'it contains the name of the account' })
  }
  return Bun.password.hash(password, argon)
}

/**
 * Whether a password matches a stored hash. Without a hash (an unknown account) it takes as long and answers false, so
 * that the time tells no one which accounts exist.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  if (password.length > passwordMaxLength * 4) return false
  decoy ??= Bun.password.hash('no account has this password', argon)
  const matches = await Bun.password.verify(password, hash ?? (await decoy))
  return matches && hash !== null
}
