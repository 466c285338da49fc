import type { Json } from './json.ts'
import { compareText } from './order.ts'

function writeText(text: string): string {
  if (!text.isWellFormed()) throw new RangeError('A text with half of a surrogate pair has no canonical form.')
  return JSON.stringify(text)
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a JSON number.`)
  return JSON.stringify(value)
}

/**
 * The canonical form of a JSON value (RFC 8785): equal values have equal texts, whatever the order of their keys and the
 * notation of their numbers were. For digests and signatures. Keys whose value is undefined are left out, as by `JSON.stringify`.
 * @returns the text; its UTF-8 bytes are what the RFC calls the canonical form
 * @throws RangeError for half of a surrogate pair (section 3.2.2.2) and for a number that JSON cannot say (section 3.2.2.3)
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return writeText(value)
  if (typeof value === 'number') return writeNumber(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item)).join(',')}]`
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  const members = entries
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([key, item]) => `${writeText(key)}:${canonicalJson(item)}`)
  return `{${members.join(',')}}`
}
