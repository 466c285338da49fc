/** Reading what a provider answers: every value is checked, since it comes from outside. */
import type { ProviderAnswer } from './calls.ts'

/** A property of an object; undefined of anything else. */
export const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (it, name) =>
      typeof it === 'object' && it !== null && Object.hasOwn(it, name)
        ? (it as Record<string, unknown>)[name]
        : undefined,
    value,
  )

export const textAt = (value: unknown, ...names: readonly string[]): string | null => {
  const it = at(value, ...names)
  return typeof it === 'string' && it !== '' ? it : null
}

export const listAt = (value: unknown, ...names: readonly string[]): readonly unknown[] => {
  const it = at(value, ...names)
  return Array.isArray(it) ? it : []
}

/** The scopes of a header that separates them by commas or blanks; null where there is no such header. */
export const scopesOf = ({ headers }: ProviderAnswer, name: string): string[] | null =>
  headers
    .get(name)
    ?.split(/[\s,]+/)
    .filter((one) => one !== '') ?? null

/** An instant as tables keep it; null where the text is not one. */
export function instantOf(text: string | null): string | null {
  if (text === null) return null
  const at = Date.parse(text.replace(/ UTC$/, 'Z').replace(/^(\d{4}-\d\d-\d\d) (\d\d:)/, '$1T$2'))
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

/** Whether a status says that the credentials are not accepted. */
export const isRefused = ({ status }: ProviderAnswer): boolean => status === 401 || status === 403

export const isOk = ({ status }: ProviderAnswer): boolean => status >= 200 && status < 300

/** The number of a page in a cursor; the first where there is none. */
export const pageIn = (cursor: string | null, first: number): number => (cursor === null ? first : Number(cursor))
