import { timingSafeEqual } from 'node:crypto'

/**
 * The format of keys: `sv` + the letter of the kind + `_`, 32 random characters of base 62 (190 bits), and 6 more that
 * carry the CRC-32 of all that is before them. A typo or a cut key is so refused without asking the database.
 */
export type KeyKind = 'api' | 'agent' | 'mcp' | 'gateway' | 'scim' | 'trust'

/** A key whose checksum is right. It may still be unknown, disabled or expired. */
export interface ReadKey {
  readonly kind: KeyKind
  /** The first 12 characters: what lists and log lines may show. */
  readonly prefix: string
  /** SHA-256 of the whole key in lower-case hexadecimal: what is stored. */
  readonly hash: string
}

const letters = { api: 'k', agent: 'a', mcp: 'm', gateway: 'g', scim: 's', trust: 't' } as const satisfies Record<
  KeyKind,
  string
>
const kinds: Readonly<Record<string, KeyKind>> = { k: 'api', a: 'agent', m: 'mcp', g: 'gateway', s: 'scim', t: 'trust' }
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const shape = /^sv([kamgst])_[0-9A-Za-z]{32}([0-9A-Za-z]{6})$/
const looksLike = /^sv[kamgst]_/
/** The largest multiple of 62 below 256: bytes from here on are drawn again, or the first characters came up more often. */
const unbiased = 248

export const keyPrefixLength = 12

/** Uniformly random characters of base 62, from the operating system's generator. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < unbiased && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

/** The CRC-32 of a text as six characters of base 62, most significant first. */
export function checksum(text: string): string {
  let rest = Bun.hash.crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** SHA-256 of a text in lower-case hexadecimal. Secrets of high entropy (keys, tokens) are stored as nothing else. */
export const hashSecret = (secret: string): string => new Bun.CryptoHasher('sha256').update(secret).digest('hex')

/** A new key. The caller shows it once and stores only what `readKey` gives. */
export function makeKey(kind: KeyKind): string {
  const body = `sv${letters[kind]}_${randomBase62(32)}`
  return body + checksum(body)
}

/** Whether a credential claims to be a key (and not a token of another form). */
export const looksLikeKey = (text: string): boolean => looksLike.test(text)

/** Reads a key; null when its form or its checksum is wrong. Touches nothing but the text. */
export function readKey(text: string): ReadKey | null {
  const match = shape.exec(text)
  if (match === null) return null
  const [, letter = '', given = ''] = match
  const kind = kinds[letter]
  const expected = checksum(text.slice(0, -6))
  if (kind === undefined || !timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return null
  return { kind, prefix: text.slice(0, keyPrefixLength), hash: hashSecret(text) }
}
