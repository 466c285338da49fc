/** Parts of JSON of another program, each as the type that it has to have, or as nothing. */

/** The properties of an object; an empty one for anything else. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

const mostItems = 500
/** The first 500 items of a list; an empty one for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, mostItems) : [])

export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A whole number, or its digits: ModSecurity writes numbers as texts. */
export function integer(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}
