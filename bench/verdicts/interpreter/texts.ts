/** Values as the text of parameters, and which values a text may be. */
import { isObject, type Json, type JsonObject } from '../case.ts'

/** What reads or writes one value. */
export interface Written {
  readonly name: string
  readonly style: string
  readonly explode: boolean
}

const separators: Readonly<Record<string, string>> = {
  form: ',',
  simple: ',',
  cookie: ',',
  spaceDelimited: ' ',
  tabDelimited: '\t',
  pipeDelimited: '|',
}
const maxReadings = 64

/** The values that a single text may be: a string always, else what it looks like. */
export function primitives(text: string): Json[] {
  const made: Json[] = []
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) made.push(Number(text))
  if (text === 'true' || text === 'false') made.push(text === 'true')
  if (text === 'null' || text === '') made.push(null)
  return [...made, text]
}

/** The lists that items may be, numbers before strings: as many as are tried. */
function lists(items: readonly string[]): Json[][] {
  let made: Json[][] = [[]]
  for (const item of items) {
    made = made.flatMap((list) => primitives(item).map((value) => [...list, value]))
    if (made.length > maxReadings) made = made.slice(0, maxReadings)
  }
  return made
}

function objects(pairs: readonly (readonly [string, string])[]): JsonObject[] {
  return lists(pairs.map(([, text]) => text)).map((values) =>
    Object.fromEntries(pairs.map(([name], at) => [name, values[at] ?? null])),
  )
}

const pairsOf = (parts: readonly string[]): (readonly [string, string])[] =>
  Array.from({ length: Math.floor(parts.length / 2) }, (_, at) => [parts[2 * at] ?? '', parts[2 * at + 1] ?? ''])

const assigned = (parts: readonly string[]): (readonly [string, string])[] =>
  parts.map((part) => [part.split('=')[0] ?? '', part.split('=').slice(1).join('=')])

/** The values that the text of a path parameter or header may be (OpenAPI, Style Values: simple, label, matrix). */
export function readText({ name, style, explode }: Written, text: string): Json[] {
  if (style === 'simple') {
    const parts = text.split(',')
    return [...primitives(text), ...lists(parts), ...objects(explode ? assigned(parts) : pairsOf(parts))]
  }
  if (style === 'label') {
    if (!text.startsWith('.')) return []
    const rest = text.slice(1)
    const parts = rest.split(explode ? '.' : ',')
    return [...primitives(rest), ...lists(parts), ...objects(explode ? assigned(parts) : pairsOf(parts))]
  }
  if (!text.startsWith(';')) return []
  const fields = assigned(text.slice(1).split(';'))
  const own = fields.filter(([field]) => field === name).map(([, value]) => value)
  const single = own.length === 1 ? (own[0] ?? '') : null
  const parts = single?.split(',') ?? []
  if (explode) return [...(single === null ? [] : primitives(single)), ...lists(own), ...objects(fields)]
  return single === null ? [] : [...primitives(single), ...lists(parts), ...objects(pairsOf(parts))]
}

/**
 * The values that fields of a query, cookie or form may be for one name; null where none of them is its.
 * `properties` are the names of an exploded object.
 */
export function readFields(
  { name, style, explode }: Written,
  fields: readonly (readonly [string, string])[],
  properties: readonly string[],
): Json[] | null {
  if (style === 'deepObject') {
    const own = fields.filter(([field]) => field.startsWith(`${name}[`) && field.endsWith(']'))
    if (own.length === 0) return null
    return objects(own.map(([field, text]) => [field.slice(name.length + 1, -1), text] as const))
  }
  const own = fields.filter(([field]) => field === name).map(([, text]) => text)
  const spread = explode ? fields.filter(([field]) => properties.includes(field)) : []
  if (own.length === 0 && spread.length === 0) return null
  const separator = separators[style] ?? ','
  const only = own[0] ?? ''
  const parts = only.split(separator)
  return [
    ...(own.length === 1 ? primitives(only) : []),
    ...(own.length > 0 && explode ? lists(own) : []),
    ...(own.length === 1 && !explode ? [...lists(parts), ...objects(pairsOf(parts))] : []),
    ...(spread.length > 0 ? objects(spread) : []),
  ]
}

const plain = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The text of a value in a path or header. */
export function writeText({ name, style, explode }: Written, value: Json): string {
  const separator = style === 'label' && explode ? '.' : ','
  const prefix = style === 'label' ? '.' : ''
  if (style === 'matrix') return writeMatrix(name, explode, value)
  if (Array.isArray(value)) return prefix + value.map(plain).join(separator)
  if (!isObject(value)) return prefix + plain(value)
  const parts = Object.entries(value).flatMap(([field, part]) =>
    explode ? [`${field}=${plain(part)}`] : [field, plain(part)],
  )
  return prefix + parts.join(separator)
}

function writeMatrix(name: string, explode: boolean, value: Json): string {
  if (Array.isArray(value))
    return explode ? value.map((item) => `;${name}=${plain(item)}`).join('') : `;${name}=${value.map(plain).join(',')}`
  if (!isObject(value)) return `;${name}=${plain(value)}`
  const entries = Object.entries(value)
  if (explode) return entries.map(([field, part]) => `;${field}=${plain(part)}`).join('')
  return `;${name}=${entries.flatMap(([field, part]) => [field, plain(part)]).join(',')}`
}

/** The fields of a value in a query, cookie or form. */
export function writeFields({ name, style, explode }: Written, value: Json): (readonly [string, string])[] {
  const separator = separators[style] ?? ','
  if (isObject(value)) {
    const entries = Object.entries(value)
    if (style === 'deepObject') return entries.map(([field, part]) => [`${name}[${field}]`, plain(part)])
    if (explode) return entries.map(([field, part]) => [field, plain(part)])
    return [[name, entries.flatMap(([field, part]) => [field, plain(part)]).join(separator)]]
  }
  if (!Array.isArray(value)) return [[name, plain(value)]]
  return explode ? value.map((item) => [name, plain(item)]) : [[name, value.map(plain).join(separator)]]
}
