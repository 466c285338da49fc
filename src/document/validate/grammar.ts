import type { JsonObject } from '../../kernel/json.ts'

/** The value that a specification allows somewhere. */
export type Shape =
  | { readonly kind: 'any' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number' | 'integer'; readonly above?: number; readonly least?: number }
  | {
      readonly kind: 'text'
      readonly values?: readonly string[]
      readonly pattern?: RegExp
      readonly expected?: string
    }
  | { readonly kind: 'list'; readonly item: Shape; readonly least?: number; readonly unique?: boolean }
  | { readonly kind: 'map'; readonly value: Shape; readonly keys?: RegExp; readonly only?: number }
  /** A node of a type of the grammar; with `reference` a `$ref` can be used instead. */
  | { readonly kind: 'node'; readonly name: string; readonly reference: boolean }
  /** The first shape with the JSON type of the value. */
  | { readonly kind: 'either'; readonly shapes: readonly Shape[] }

/** Says that something is wrong with a node, or with its field `key`. */
export type Report = (message: string, key?: string, code?: string) => void

/** One type of node: "Info", "Operation", "Schema". */
export interface NodeShape {
  readonly fields: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  /** Fields whose names follow a pattern, such as paths and status codes. */
  readonly patterns?: readonly (readonly [RegExp, Shape])[]
  /** Whether fields named `x-…` are allowed; they are by default. */
  readonly extensions?: boolean
  /** Whether any other field is allowed. */
  readonly open?: boolean
  /** How many fields other than extensions there must be. */
  readonly least?: number
  /** The field that says what the node is: where it is missing, the others are not checked. */
  readonly decides?: string
  /** The message for an unknown field that needs its own; null: the message of all unknown fields. */
  readonly explain?: (key: string) => string | null
  /** What no list of fields can say. */
  readonly check?: (node: JsonObject, report: Report) => void
}

/** The structure of one version of one specification. */
export interface Grammar {
  /** As people call it: "OpenAPI 3.1". */
  readonly title: string
  readonly root: string
  readonly nodes: Readonly<Record<string, NodeShape>>
  /** A type of node that the specification's own schema does not look into: what is wrong there is a warning. */
  readonly warnsIn?: string
}

export const any: Shape = { kind: 'any' }
export const flag: Shape = { kind: 'boolean' }
export const number: Shape = { kind: 'number' }
export const text: Shape = { kind: 'text' }
export const count: Shape = { kind: 'integer', least: 0 }
export const oneOf = (...values: readonly string[]): Shape => ({ kind: 'text', values })
export const matching = (pattern: RegExp, expected: string): Shape => ({ kind: 'text', pattern, expected })
export const list = (item: Shape, least = 0): Shape => ({ kind: 'list', item, least })
export const unique = (item: Shape, least = 0): Shape => ({ kind: 'list', item, least, unique: true })
export const map = (value: Shape, keys?: RegExp): Shape =>
  keys === undefined ? { kind: 'map', value } : { kind: 'map', value, keys }
/** A map of exactly one entry. */
export const single = (value: Shape): Shape => ({ kind: 'map', value, only: 1 })
export const node = (name: string): Shape => ({ kind: 'node', name, reference: false })
export const nodeOrRef = (name: string): Shape => ({ kind: 'node', name, reference: true })
export const either = (...shapes: readonly Shape[]): Shape => ({ kind: 'either', shapes })

/** A URI reference (RFC 3986, section 4.1), as far as a look at its characters tells. */
export const uri = matching(/^[^\s<>"\\^`{|}]*$/, 'a URI reference without spaces')
/** A URI with its scheme (RFC 3986, section 3). */
export const absoluteUri = matching(/^[a-z][a-z0-9+.-]*:[^\s<>"\\^`{|}]*$/i, 'a URI with a scheme')
export const email = matching(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, 'an email address')

/** A check that two fields are not used together. */
export const apart =
  (one: string, other: string): NonNullable<NodeShape['check']> =>
  (value, report) => {
    if (Object.hasOwn(value, one) && Object.hasOwn(value, other))
      report(`"${one}" and "${other}" must not be used together`, other)
  }

/** A check that exactly one of some fields is there. */
export const exactlyOne =
  (...keys: readonly string[]): NonNullable<NodeShape['check']> =>
  (value, report) => {
    const present = keys.filter((key) => Object.hasOwn(value, key))
    if (present.length === 1) return
    const names = keys.map((key) => `"${key}"`).join(keys.length === 2 ? ' or ' : ', ')
    report(present.length === 0 ? `one of ${names} is required` : `only one of ${names} can be used`, present[1])
  }

/** Several checks as one. */
export const all =
  (...checks: readonly NonNullable<NodeShape['check']>[]): NonNullable<NodeShape['check']> =>
  (value, report) => {
    for (const check of checks) check(value, report)
  }

/** The violation of a key that must start with "/", such as a path. */
export const explainPath = (key: string): string | null =>
  key.startsWith('/') ? null : `the path ${JSON.stringify(key)} must start with "/"`

/** The violation of a key that is not a status code of OpenAPI 3: 200, 2XX or default. */
export const explainStatus = (key: string): string | null => {
  if (/^[1-5]xx$/i.test(key)) return `the status code pattern ${JSON.stringify(key)} must be "${key.toUpperCase()}"`
  return /^\d/.test(key)
    ? `${JSON.stringify(key)} is not a status code; use a code such as "200", a pattern such as "2XX", or "default"`
    : null
}
