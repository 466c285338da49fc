/** The parts of a request that conditions speak of. */
import { suggest } from '../kernel/suggest.ts'

/** Names without another name, with the kind of their values. */
const plainFields = {
  'ip.src': 'ip',
  'http.method': 'method',
  'http.host': 'text',
  'http.path': 'text',
  'http.route': 'route',
  'http.body.size': 'number',
  'geo.country': 'country',
} as const

/** Names that another name follows. */
export const namedFields = ['http.query', 'http.header', 'http.cookie'] as const
export type NamedField = (typeof namedFields)[number]

export interface Field {
  /** As trees write it: "http.header.accept". */
  readonly id: string
  readonly type: 'ip' | 'method' | 'text' | 'route' | 'named' | 'number' | 'country'
  /** Of a named one: "http.header" and "accept". */
  readonly prefix: NamedField | null
  readonly name: string | null
}

/** What completion and builders offer. */
export const fieldWords: readonly string[] = [...Object.keys(plainFields), ...namedFields.map((it) => `${it}.NAME`)]

export const isIpField = (field: Field): boolean => field.type === 'ip'

/** Reads the name of a field; a sentence where it is unknown. */
export function readField(id: string): Field | string {
  if (Object.hasOwn(plainFields, id))
    return { id, type: plainFields[id as keyof typeof plainFields], prefix: null, name: null }
  const prefix = namedFields.find((it) => id.startsWith(`${it}.`) && id.length > it.length + 1)
  if (prefix === undefined) {
    const near = suggest(id, [...Object.keys(plainFields), ...namedFields])
    const shown = near === null ? '' : `; did you mean ${near}${namedFields.some((it) => it === near) ? '.NAME' : ''}?`
    return `"${id.slice(0, 80)}" is an unknown field${shown === '' ? `; the fields are ${fieldWords.join(', ')}` : shown}`
  }
  const written = id.slice(prefix.length + 1)
  // Names of headers have no case; those of cookies and of query parameters do.
  const name = prefix === 'http.header' ? written.toLowerCase() : written
  return { id: `${prefix}.${name}`, type: 'named', prefix, name }
}

/** What is wrong with the name in a field; null: nothing. */
export function nameProblem({ prefix, name }: Field): string | null {
  if (prefix === null || name === null) return null
  if (name.length > 128) return `a name after ${prefix} has at most 128 characters`
  if (prefix !== 'http.query' && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    return `"${name}" cannot be the name of a ${prefix === 'http.header' ? 'header' : 'cookie'}`
  return /[\p{Cc}]/u.test(name) || !name.isWellFormed() ? 'a name must not contain control characters' : null
}
