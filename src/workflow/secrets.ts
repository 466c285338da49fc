/** Takes secrets out of everything that a run says. */
import { isObject, type Json } from '../kernel/json.ts'

/** What is shown in the place of a secret. */
export const hidden = '***'

/** Headers whose values are credentials, whatever they contain. */
const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'apikey',
  'x-auth-token',
])

export const isCredentialHeader = (name: string): boolean => credentialHeaders.has(name.toLowerCase())

/** A text in UTF-8 as base64. */
export const base64Of = (text: string): string => {
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (const byte of bytes) binary += String.fromCodePoint(byte)
  return btoa(binary)
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The forms in which a value travels. */
function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const encoded = encodeURIComponent(secret)
  const plain = base64Of(secret)
  return [secret, json, encoded, encoded.replaceAll('%20', '+'), xml(secret), plain, plain.replace(/=+$/, '')]
}

/** Hides secrets in texts and in values. */
export class Redaction {
  readonly #forms: readonly string[]

  constructor(secrets: Iterable<string>) {
    const forms = new Set([...secrets].filter((it) => it !== '').flatMap(formsOf))
    // The longest first: one secret may be a part of another one.
    this.#forms = [...forms].toSorted((a, b) => b.length - a.length)
  }

  text(text: string): string {
    return this.#forms.reduce((left, form) => left.replaceAll(form, hidden), text)
  }

  /** A value without secrets, in names and in texts; a number or truth value that is one becomes a text. */
  value(value: Json): Json {
    if (typeof value === 'string') return this.text(value)
    if (typeof value === 'number' || typeof value === 'boolean')
      return this.#forms.includes(String(value)) ? hidden : value
    if (Array.isArray(value)) return (value as readonly Json[]).map((it) => this.value(it))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [this.text(key), this.value(it)]))
  }

  /** The same for what is made of JSON and nothing else. */
  of<T>(told: T): T {
    return this.value(JSON.parse(JSON.stringify(told)) as Json) as T
  }
}
