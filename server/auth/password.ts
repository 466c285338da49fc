import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { SvcError } from '../../src/errors.ts'

/** How a password becomes a key. */
export interface Derivation {
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Buffer
  /** Bytes of the key. */
  readonly length: number
}

/** Argon2id with the parameters that OWASP's password storage guidance gives as its first choice: 19 MiB, two passes. */
const recommended = { memory: 19_456, passes: 2, parallelism: 1, length: 32 } as const
const saltBytes = 32

export const passwordMinLength = 12
export const passwordMaxLength = 256

// The stored form is that of the reference implementation: "$argon2id$v=19$m=19456,t=2,p=1$salt$key".
const stored = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/
const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

interface Stored {
  readonly derivation: Derivation
  readonly key: Buffer
}

function readStored(hash: string): Stored {
  const parts = stored.exec(hash)
  if (parts === null) throw new Error('a stored password is not Argon2id')
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts
  const key = Buffer.from(tag, 'base64')
  const derivation = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    length: key.length,
  }
  return { derivation, key }
}

/** The key of a password: the one step of a sign-in that costs much. */
function deriveKey(password: string, { memory, passes, parallelism, salt, length }: Derivation): Promise<Buffer> {
  const asked = { message: Buffer.from(password), nonce: salt, memory, passes, parallelism, tagLength: length }
  return new Promise((resolve, reject) => {
    argon2('argon2id', asked, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}

/**
 * The stored form of a password. Accounts of one address share their salt, so that a password is tried on all of them with
 * one computation.
 * @param like the stored password of another account of the address
 * @throws SvcError `password-weak` when it is shorter than 12 or longer than 256 characters, is one character
 *   repeated, contains the account's name, or is on a list of common passwords.
 */
export async function hashPassword(password: string, account: string, like: string | null = null): Promise<string> {
  const length = password.length
  const name = account.split('@')[0]?.toLowerCase() ?? ''
  if (length < passwordMinLength) throw new SvcError('password-weak', { reason: `it has ${length} characters` })
  if (length > passwordMaxLength) throw new SvcError('password-weak', { reason: `it has ${length} characters` })
  if (new Set(password).size < 4) throw new SvcError('password-weak', { reason: 'it repeats very few characters' })
  if (name.length >= 4 && password.toLowerCase().includes(name)) {
    throw new SvcError('password-weak', { reason: 'it contains the name of the account' })
  }
  // Megabytes of lists, which only who sets a password waits for.
  const { isCommonPassword } = await import('./common-passwords.ts')
  if (isCommonPassword(password, [account, ...account.split(/[@.]/)]))
    throw new SvcError('password-weak', { reason: 'it is one of the passwords that are tried first' })
  const salt = like === null ? randomBytes(saltBytes) : readStored(like).derivation.salt
  const key = await deriveKey(password, { ...recommended, salt })
  const { memory, passes, parallelism } = recommended
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(key)}`
}

/** Whether two stored passwords take one computation together. */
export const isLike = (one: string, other: string): boolean =>
  one.slice(0, one.lastIndexOf('$')) === other.slice(0, other.lastIndexOf('$'))

/**
 * Which of the stored passwords of an address a password matches; null in the list has none. One key is computed for all
 * that share their salt, and one where there is nothing to compare with, so that the time does not say whether an address
 * has accounts, or how many.
 */
export async function matchPasswords(
  password: string,
  hashes: readonly (string | null)[],
  derive: (password: string, derivation: Derivation) => Promise<Buffer> = deriveKey,
): Promise<readonly boolean[]> {
  if (password.length > passwordMaxLength * 4) return hashes.map(() => false)
  const all = hashes.map((hash) => (hash === null ? null : { hash, ...readStored(hash) }))
  const present = all.filter((it) => it !== null)
  if (present.length === 0) await derive(password, { ...recommended, salt: Buffer.alloc(saltBytes) })
  const computed: { readonly hash: string; readonly key: Buffer }[] = []
  for (const { hash, derivation } of present)
    if (!computed.some((it) => isLike(it.hash, hash))) computed.push({ hash, key: await derive(password, derivation) })
  return all.map((it) => {
    const key = it === null ? undefined : computed.find(({ hash }) => isLike(hash, it.hash))?.key
    return it !== null && key?.length === it.key.length && timingSafeEqual(key, it.key)
  })
}
