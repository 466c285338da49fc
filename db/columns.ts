/**
 * The columns that tables are made of. They are drizzle's Postgres columns, restricted to those whose values travel
 * unchanged through both drivers: what SQLite stores for each of them is in `scripts/migrations/ddl.ts`.
 */
import { bigint, customType, integer as pgInteger, text as pgText } from 'drizzle-orm/pg-core'
import { SvcError } from '../src/errors.ts'

/** Text, compared byte by byte on both engines. `text('status', { enum: [...] })` types it as a union. */
export const text = pgText

/** A whole number of up to 32 bits. */
export const integer = pgInteger

/** A whole number up to 2^53: byte counts, sequence numbers. */
export const big = (name: string) => bigint(name, { mode: 'number' })

/** True or false; SQLite stores 1 or 0. */
export const bool = customType<{ data: boolean; driverData: boolean | number }>({
  dataType: () => 'boolean',
  fromDriver: (value) => value === true || value === 1,
})

const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * An instant as ISO 8601 text in UTC with milliseconds ("2026-05-05T00:00:00.123Z"): `timestamptz(3)` on Postgres,
 * the text itself on SQLite, where its order is the order of time. The application writes every one of them.
 */
export const timestamp = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamptz(3)',
  toDriver(value) {
    if (!isoInstant.test(value)) throw new TypeError(`Not an instant in UTC with milliseconds: ${value}`)
    return value
  },
  // Postgres answers "2026-05-05 00:00:00.1+00": sessions run in UTC.
  fromDriver: (value) => (isoInstant.test(value) ? value : new Date(value).toISOString()),
})

/** Bytes: `bytea` or `blob`. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  // The drivers answer their own subclass (Buffer), whose equality and JSON form differ.
  fromDriver: (value) => new Uint8Array(value.buffer, value.byteOffset, value.byteLength),
})

// In JSON text an escaped NUL or lone surrogate; an even number of backslashes before it is an escaped backslash.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

const toJson = (value: unknown): string => {
  const written = JSON.stringify(value)
  if (unstorable.test(written)) throw unstorableText()
  return written
}

/**
 * A JSON value, typed by the caller: `json<Settings>()('settings')`. Postgres keeps it as `jsonb`, which reorders keys:
 * documents whose bytes matter are kept as text or bytes.
 */
export const json = <T>() =>
  customType<{ data: T; driverData: unknown }>({
    dataType: () => 'jsonb',
    toDriver: toJson,
    fromDriver: (value) => (typeof value === 'string' ? (JSON.parse(value) as T) : (value as T)),
  })

/** The refusal of text that Postgres cannot store; both engines refuse it, so that neither holds what the other cannot. */
export function unstorableText(): SvcError {
  return new SvcError('request-malformed', {
    reason: 'a text contains a NUL character (U+0000) or half of a surrogate pair, which cannot be stored',
  })
}
