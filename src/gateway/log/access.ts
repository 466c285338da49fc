import { integer, objectOf, text } from './untrusted.ts'

/** One line of an access log: the path is not redacted yet. Only this folder sees it. */
export interface Access {
  readonly atMs: number
  readonly method: string
  readonly path: string
  readonly status: number
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
// The client's name and agent may be any text: only what is written before the request is anchored.
const combined =
  /^\S+ \S+ .{0,256}? ?\[(\d\d)\/(\w{3})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)\] "([A-Za-z]{1,32}) ((?:[^"\\]|\\.){1,16384}?)(?: HTTP\/\d(?:\.\d)?)?" (\d{3}) /

function fromCombined(line: string): Access | null {
  const found = combined.exec(line.slice(0, 20_000))
  if (found === null) return null
  const [, day, month = '', year, hour, minute, second, sign, hours, minutes, method = '', path = '', status] = found
  const local = Date.UTC(Number(year), months.indexOf(month), Number(day), Number(hour), Number(minute), Number(second))
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
  return Number.isNaN(local) ? null : { atMs: local - offsetMs, method, path, status: Number(status) }
}

function fromCaddy(line: string): Access | null {
  let record: Readonly<Record<string, unknown>>
  try {
    record = objectOf(JSON.parse(line))
  } catch {
    return null
  }
  const request = objectOf(record['request'])
  const { ts } = record
  const atMs = typeof ts === 'number' ? ts * 1000 : Date.parse(text(ts))
  const status = integer(record['status'])
  const path = text(request['uri'])
  if (!Number.isFinite(atMs) || status === null || path === '') return null
  return { atMs: Math.floor(atMs), method: text(request['method']), path, status }
}

/**
 * Reads a line of an access log: Caddy's JSON, or nginx's "combined".
 * @returns null: it is neither
 */
export const readAccess = (line: string): Access | null => (line.startsWith('{') ? fromCaddy(line) : fromCombined(line))
