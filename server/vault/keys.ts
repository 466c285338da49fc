import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { replaceFile } from '../disk/door.ts'
import { SvcError } from '../../src/errors.ts'

/** A key of 32 bytes, with what is derived from it. */
export interface VaultKey {
  /** Eight hexadecimal digits that name it in rows; they say nothing about the key. */
  readonly id: string
  /** For AES-256-GCM. */
  readonly cipher: Buffer
  /** For fingerprints (HMAC-SHA-256). */
  readonly fingerprint: Buffer
}

/** Where the keys are. The first encrypts, all of them decrypt. */
export type KeySource =
  | { readonly kind: 'none' }
  /** The keys themselves: base64, separated by commas or lines. Read again, since they may be in a file that changes. */
  | { readonly kind: 'given'; readonly keys: string }
  /** A file of this service's own with one key in each line; it is made when the first secret is stored. */
  | { readonly kind: 'file'; readonly path: string }

const keyBytes = 32

const derive = (key: Buffer, use: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', `svc ${use}`, keyBytes))

function toKey(bytes: Buffer): VaultKey {
  const id = createHash('sha256').update(derive(bytes, 'secret key id')).digest('hex').slice(0, 8)
  return { id, cipher: derive(bytes, 'secret encryption'), fingerprint: derive(bytes, 'secret fingerprint') }
}

/**
 * Reads keys: base64 of 32 bytes each, separated by commas, blanks or lines.
 * @returns null where one of them is anything else
 */
export function readKeys(text: string): readonly VaultKey[] | null {
  const parts = text.split(/[\s,]+/).filter(Boolean)
  const keys = parts.map((part) => Buffer.from(part, 'base64'))
  const isKey = (bytes: Buffer, n: number) => bytes.length === keyBytes && /^[\w+/-]{43}=?$/.test(parts[n] ?? '')
  return keys.length > 0 && keys.every(isKey) ? keys.map(toKey) : null
}

/** A new random key, as text. */
const newKeyText = (): string => randomBytes(keyBytes).toString('base64')

const errorCodeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** The keys of a process. They are read again when a row names a key that is not known yet: another process may have added it. */
export class KeyRing {
  readonly #source: KeySource
  #keys: readonly VaultKey[] | undefined

  constructor(source: KeySource) {
    this.#source = source
  }

  /** The keys that there are; none where none is configured. @throws SvcError `secret-key-unusable` */
  all(): readonly VaultKey[] {
    return (this.#keys ??= this.#read())
  }

  /**
   * The key that encrypts: the newest one, since another process may have added it.
   * @throws SvcError `secret-key-missing`, `secret-key-unusable`
   */
  encrypting(): VaultKey {
    const source = this.#source
    this.#keys = this.#read()
    if (this.#keys.length === 0 && source.kind === 'file') this.#create(source.path)
    const [first] = this.all()
    if (first === undefined) throw new SvcError('secret-key-missing')
    return first
  }

  /** The key of an id; undefined where it is not there. @throws SvcError `secret-key-unusable` */
  find(id: string): VaultKey | undefined {
    const known = this.all().find((key) => key.id === id)
    if (known !== undefined) return known
    this.#keys = this.#read()
    return this.#keys.find((key) => key.id === id)
  }

  /**
   * Adds a new key in front of those of the file; it encrypts from now on.
   * @throws SvcError `usage` where the keys are not in a file of this service's own, `secret-key-unusable`
   */
  addKey(): void {
    const source = this.#source
    if (source.kind !== 'file')
      throw new SvcError('usage', {
        reason: 'The keys are configured: put a new key in front of SVC_SECRET_KEY, or on the first line of its file',
      })
    this.#keys = this.#read()
    if (this.#keys.length === 0) return this.#create(source.path)
    const present = readFileSync(source.path, 'utf8')
    replaceFile(source.path, `${newKeyText()}\n${present}`, { mode: 0o600 })
    this.#keys = this.#read()
  }

  #read(): readonly VaultKey[] {
    const source = this.#source
    if (source.kind === 'none') return []
    const place = source.kind === 'given' ? 'SVC_SECRET_KEY' : source.path
    let text = ''
    try {
      text = source.kind === 'given' ? source.keys : readFileSync(source.path, 'utf8')
    } catch (error) {
      if (errorCodeOf(error) === 'ENOENT' && source.kind === 'file') return []
      throw new SvcError('secret-key-unusable', { place, reason: `it cannot be read (${errorCodeOf(error)})` })
    }
    const keys = readKeys(text)
    if (keys === null)
      throw new SvcError('secret-key-unusable', { place, reason: 'each key must be base64 of exactly 32 bytes' })
    return keys
  }

  /** Two processes may create the file at once: the first one wins, and both read it. */
  #create(path: string): void {
    try {
      // On the disk before it is used: a lost key loses every secret.
      replaceFile(path, `${newKeyText()}\n`, { mode: 0o600, isNew: true })
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST')
        throw new SvcError('secret-key-unusable', {
          place: path,
          reason: `it cannot be written (${errorCodeOf(error)})`,
        })
    }
    this.#keys = this.#read()
  }
}
