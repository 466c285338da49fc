import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { SvcError } from '../src/errors.ts'

/** Signs the places in lists that agents carry from one answer to the next. */
export interface CursorSeal {
  /** The cursor as an agent gets it; `scope` is the question that it continues with. */
  wrap(scope: string, cursor: string): string
  /**
   * Gives the cursor back.
   * @throws SvcError `cursor-invalid` for one of another question, another secret, or of no one
   */
  open(scope: string, sealed: string): string
}

// 132 bits of the signature: far more than can be guessed, and short in an answer that is counted in tokens.
const macLength = 22

/** What a sealed cursor is longer than the one inside. */
export const sealBytes = macLength

/**
 * A seal by HMAC-SHA256. Processes with the same secret read each other's cursors, so that any replica behind an address
 * continues where another one stopped.
 */
export function cursorSeal(secret: string | Uint8Array): CursorSeal {
  // A key of its own for this purpose: the secret itself signs nothing.
  const key = createHmac('sha256', secret).update('svc mcp cursor 1').digest()
  const mac = (scope: string, cursor: string): string =>
    createHmac('sha256', key).update(`${scope}\0${cursor}`).digest('base64url').slice(0, macLength)
  return {
    wrap: (scope, cursor) => mac(scope, cursor) + cursor,
    open(scope, sealed) {
      const cursor = sealed.slice(macLength)
      const given = Buffer.from(sealed.slice(0, macLength))
      const expected = Buffer.from(mac(scope, cursor))
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new SvcError('cursor-invalid')
      return cursor
    },
  }
}

/** Arguments that change how much is shown, not what is asked: a cursor continues with others of these. */
const free = new Set(['cursor', 'limit', 'max_tokens', 'detail', 'refs'])

// Documents are given as texts of megabytes: their digests say as much.
const longText = 1000
const digested = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > longText
    ? { sha256: createHash('sha256').update(value).digest('base64url') }
    : value

/** The question that a call asks, whatever the order of its arguments. */
export function scopeOf(name: string, args: Readonly<Record<string, unknown>>): string {
  const asked = Object.entries(args).filter(([key, value]) => !free.has(key) && value !== undefined)
  return JSON.stringify([name, Object.fromEntries(asked.sort(([a], [b]) => (a < b ? -1 : 1)))], digested)
}
