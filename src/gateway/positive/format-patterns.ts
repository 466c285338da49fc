/** Formats of texts as regular expressions of RE2 and PCRE. */
import { formatShapes } from '../../schema/format-shapes.ts'

/** Years of four digits in which February has 29 days: those that 4 divides, but of the centuries only those that 400 divides. */
const leapYear = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)'
const days28 = '(0[1-9]|1[0-9]|2[0-8])'
/** A day of the calendar (RFC 3339, full-date). */
const date = [
  `[0-9]{4}-(0[1-9]|1[0-2])-${days28}`,
  '[0-9]{4}-(0[13-9]|1[0-2])-(29|30)',
  '[0-9]{4}-(0[13578]|1[02])-31',
  `${leapYear}-02-29`,
].join('|')
const hour = '([01][0-9]|2[0-3])'
const minute = '[0-5][0-9]'
const second = `${hour}:${minute}:${minute}(\\.[0-9]+)?`
const zone = `([zZ]|[+-]${hour}(:?${minute})?)`
/** Where there is an offset, the minute of a leap second is not compared with it. */
const leapSecond = `(23:59:60(\\.[0-9]+)?[zZ]|${hour}:${minute}:60(\\.[0-9]+)?[+-]${hour}(:?${minute})?)`

const own: ReadonlyMap<string, string> = new Map([
  ['date', `^(${date})$`],
  ['date-time', `^(${date})[tT\\s](${second}${zone}|${leapSecond})$`],
])

/** The expression that every text of a format matches; undefined: none is known. */
export const formatPattern = (format: string): string | undefined => own.get(format) ?? formatShapes.get(format)

/** Formats of which all is said: by an expression, or because they say nothing about the value. */
export const exactFormats: ReadonlySet<string> = new Set(['date', 'uuid', 'float', 'double', 'password', 'binary'])
