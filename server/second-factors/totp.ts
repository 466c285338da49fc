/** Codes of authenticator apps: TOTP (RFC 6238) over HMAC-SHA-1 with six digits and steps of 30 seconds, as all apps take them. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
const digits = 6
/** As many bytes as SHA-1 gives (RFC 4226, section 4). */
const secretBytes = 20
/** Clocks may differ by so many steps. */
const window = 1
/** The first of two codes may be so many steps old: the wait for the second, the time to type it, and the difference of clocks. */
const latePairs = 3

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 without padding (RFC 4648, section 6). */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let value = 0
  let bits = 0
  for (const byte of bytes) {
    value = ((value & 0xff) << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31]
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31]
}

/** The bytes of a text in base32. @throws Error for any other text */
export function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let value = 0
  let bits = 0
  for (const letter of text) {
    const five = alphabet.indexOf(letter)
    if (five < 0) throw new Error('the secret of an authenticator app is not in base32')
    value = ((value & 0x7f) << 5) | five
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >>> bits) & 0xff)
  }
  return Buffer.from(bytes)
}

/** A new secret, in base32. */
export const newSecret = (): string => toBase32(randomBytes(secretBytes))

/** The code of a counter (RFC 4226, section 5.3). */
export function codeOf(secret: Uint8Array, counter: number, length = digits): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', secret).update(message).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** length
  return String(number).padStart(length, '0')
}

/** The step that a moment (milliseconds since the epoch) is in. */
export const stepOf = (now: number): number => Math.floor(now / stepMs)

const digitsOf = (text: string): string | null => {
  const given = text.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(given) ? given : null
}

const isCodeOf = (key: Uint8Array, step: number, given: string): boolean =>
  timingSafeEqual(Buffer.from(codeOf(key, step)), Buffer.from(given))

/**
 * The step whose code a text is; null for a wrong code.
 * @param secret in base32
 * @param after the step that was accepted last: its code and those before it are not accepted again; null: none was
 */
export function findStep(secret: string, text: string, now: number, after: number | null): number | null {
  const given = digitsOf(text)
  if (given === null) return null
  const key = fromBase32(secret)
  const current = stepOf(now)
  let found: number | null = null
  // All of the window is computed, so that the time does not say which step it was.
  for (let step = current - window; step <= current + window; step++) {
    const isRight = isCodeOf(key, step, given)
    if (isRight && (after === null || step > after)) found ??= step
  }
  return found
}

/**
 * The step of the second of two consecutive codes; null where one of them is wrong, without saying which. Who waits for the second
 * code and types it is late for the first one: it may be of any of the last four steps, so that four in a million million pairs are right.
 * @param codes the two codes in the order in which the app shows them
 * @param secret in base32
 * @param after the step that was accepted last: codes of it and of those before are not accepted again; null: none was
 */
export function findPair(
  secret: string,
  codes: readonly [string, string],
  now: number,
  after: number | null,
): number | null {
  const [first, second] = codes.map(digitsOf)
  if (!first || !second) return null
  const key = fromBase32(secret)
  const current = stepOf(now)
  let found: number | null = null
  for (let step = current - latePairs; step <= current; step++) {
    const [isFirst, isSecond] = [isCodeOf(key, step, first), isCodeOf(key, step + 1, second)]
    if (isFirst && isSecond && (after === null || step > after)) found ??= step + 1
  }
  return found
}

/**
 * The address that an app reads from a QR code.
 * @param issuer the name of the service in the app
 */
export function otpauthUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepMs / 1000}`
}
