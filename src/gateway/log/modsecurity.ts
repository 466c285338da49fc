import type { RawMessage, RawRecord } from './model.ts'
import { foundAgainst, foundWithin } from './evidence.ts'
import { integer, listOf, objectOf, text } from './untrusted.ts'

function messageOf(value: unknown): RawMessage | null {
  const message = objectOf(value)
  const details = objectOf(message['details'])
  const ruleId = integer(details['ruleId'])
  if (ruleId === null) return null
  // It writes "0" for a rule without a severity, which would be the highest one.
  const severity = integer(details['severity']) ?? -1
  const match = text(details['match'])
  return {
    ruleId,
    text: text(message['message']),
    tags: listOf(details['tags']).map(text),
    severity: severity === 0 ? -1 : severity,
    // Matches of libinjection name no variable; what the rule set writes for them does.
    found: /^detected \w+ using libinjection/.test(match) ? foundWithin(text(details['data'])) : foundAgainst(match),
  }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const dayMs = 86_400_000

/**
 * When it was: its text ("Mon Nov 23 09:48:48 2026") is local time without a zone, but the id of the transaction begins with the
 * seconds since 1970. They count where they differ from the text by no more than a zone can.
 */
function instantOf(timestamp: string, id: string, localMs: (asUtcMs: number) => number): number | null {
  const found = /^\w{3} (\w{3}) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})$/.exec(timestamp)
  if (found === null) return null
  const [, month = '', day, hour, minute, second, year] = found
  const asUtc = Date.UTC(Number(year), months.indexOf(month), Number(day), Number(hour), Number(minute), Number(second))
  const fromId = /^\d{11,}\.\d+$/.test(id) ? Number(id.slice(0, 10)) * 1000 : Number.NaN
  return Math.abs(fromId - asUtc) < dayMs ? fromId : localMs(asUtc)
}

/**
 * Reads a record of ModSecurity's JSON audit log (libmodsecurity 3, parts A, H, K, Z).
 * @param localMs from an instant whose local time was read as UTC to the instant
 * @returns null: it is not a record of ModSecurity
 */
export function readModsecurity(record: unknown, localMs: (asUtcMs: number) => number): RawRecord | null {
  const transaction = objectOf(objectOf(record)['transaction'])
  const id = text(transaction['unique_id'])
  const atMs = instantOf(text(transaction['time_stamp']), id, localMs)
  if (atMs === null || Number.isNaN(atMs) || id === '') return null
  const request = objectOf(transaction['request'])
  return {
    id,
    atMs,
    ip: text(transaction['client_ip']) || null,
    method: text(request['method']),
    path: text(request['uri']),
    status: integer(objectOf(transaction['response'])['http_code']),
    interrupted: null,
    messages: listOf(transaction['messages']).flatMap((it) => messageOf(it) ?? []),
  }
}
