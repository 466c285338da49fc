import type { RawMessage, RawRecord } from './model.ts'
import { foundWithin } from './evidence.ts'
import { integer, listOf, objectOf, text } from './untrusted.ts'

function messageOf(value: unknown): RawMessage | null {
  const data = objectOf(objectOf(value)['data'])
  const ruleId = integer(data['id'])
  if (ruleId === null) return null
  return {
    ruleId,
    text: text(data['msg']),
    tags: listOf(data['tags']).map(text),
    severity: integer(data['severity']) ?? -1,
    // The text of the rule says whether it writes the variable, or a value alone that may read alike.
    found: text(data['raw']).includes('found within %{') ? foundWithin(text(data['data'])) : null,
  }
}

/**
 * Reads a record of Coraza's JSON audit log (parts A, H, K, Z).
 * @returns null: it is not a record of Coraza
 */
export function readCoraza(record: unknown): RawRecord | null {
  const transaction = objectOf(objectOf(record)['transaction'])
  const nanoseconds = transaction['unix_timestamp']
  const id = text(transaction['id'])
  if (typeof nanoseconds !== 'number' || !(nanoseconds > 0) || id === '') return null
  const request = objectOf(transaction['request'])
  const status = integer(objectOf(transaction['response'])['status'])
  const messages = listOf(objectOf(record)['messages']).flatMap((it) => messageOf(it) ?? [])
  return {
    id,
    atMs: Math.floor(nanoseconds / 1e6),
    ip: text(transaction['client_ip']) || null,
    method: text(request['method']),
    path: text(request['uri']),
    status: status === 0 ? null : status,
    interrupted: transaction['is_interrupted'] === true,
    messages,
  }
}
