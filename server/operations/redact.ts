/** What is where a secret was. */
export const redacted = '[redacted]'

const secretField = /authori[sz]ation|cookie|passw|secret|token|api[-_]?key|private[-_]?key|credential/i

const secretText: readonly (readonly [RegExp, string])[] = [
  // Keys and one-use tokens of ours: the kind stays readable, so that a log still says what was used.
  [/\b(sv[a-z]_)[0-9A-Za-z_-]+/g, `$1${redacted}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${redacted}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, redacted],
  [/([?&](?:api_key|key|token|access_token|code|secret|password|signature|sig)=)[^&\s"']+/gi, `$1${redacted}`],
  // Credentials in the authority of a URL, as in postgres://user:password@host.
  [/(\b[a-z][\w+.-]*:\/\/)[^\s/@]+@/gi, `$1${redacted}@`],
]

// What every one of the patterns above needs: most texts have none of it, and one look costs less than five.
const mayHoldSecret = /sv[a-z]_|bearer|basic|eyJ|[?&][a-z_]+=|:\/\//i

/** A text without the secrets that can be recognised in it. */
export const redactText = (text: string): string => {
  if (!mayHoldSecret.test(text)) return text
  return secretText.reduce((result, [pattern, replacement]) => result.replaceAll(pattern, replacement), text)
}

/**
 * A value as it may be logged: secrets go by the name of their field or by their shape; errors become their name, message
 * and stack. Depth and length are bounded, so that logging never costs more than what it describes.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value.length > 10_000 ? `${value.slice(0, 10_000)}…` : value)
  if (typeof value === 'bigint') return value.toString()
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'object') return undefined
  if (depth > 6) return '…'
  if (value instanceof Error)
    return {
      name: value.name,
      message: redactText(value.message),
      stack: redactText(value.stack ?? ''),
      ...(value.cause !== undefined && { cause: redact(value.cause, depth + 1) }),
    }
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => redact(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      secretField.test(name) && item !== null && item !== undefined ? redacted : redact(item, depth + 1),
    ]),
  )
}
