import { catalogue, type Code } from './errors.ts'

// Stands for any detail: as text it is its own name in capitals, and so is whatever is done to it.
const blank = (name: string): unknown => {
  const text = name.toUpperCase()
  return new Proxy(() => text, {
    get: (_, key) => (key === Symbol.toPrimitive || key === 'toString' || key === 'join' ? () => text : blank(name)),
    apply: () => text,
  })
}

/** The message of a code with the names of its details in capitals: `There is no project "PROJECT" in this tenant.` */
export const messageTemplate = (code: Code): string => {
  const detail = new Proxy({}, { get: (_, key) => blank(String(key)) })
  // A message may be nothing but a detail.
  return String((catalogue[code].message as (detail: object) => unknown)(detail))
}
