import { groupOf, itemsIn, type Group } from '../contracts/schema-group.ts'
import type { PlacedValue, Side } from '../diff/side.ts'
import { isObject, type Json } from '../kernel/json.ts'
import { canonical } from '../schema/node.ts'

/** A property of a class, as far as a migration looks at it. */
export interface Property {
  readonly name: string
  /** "string", "string (date)", "array of integer", "integer or null". */
  readonly type: string
  /** The bare type: "string", "array". */
  readonly base: string
  /** What its schema says of its values, one fact each: its type, its format, each of its values, each of its properties. */
  readonly facts: ReadonlySet<string>
  /** The values it may take where they are listed; null where they are not. */
  readonly values: readonly string[] | null
  /** The properties of an object. */
  readonly parts: ReadonlyMap<string, Property>
}

// Words that explain, and those whose content is counted fact by fact.
const passedOver = new Set([
  'description',
  'title',
  'example',
  'examples',
  'default',
  'deprecated',
  'externalDocs',
  'xml',
  'type',
  'enum',
  'properties',
  'required',
  'items',
  'allOf',
  '$ref',
  'additionalProperties',
  'nullable',
])

const typesOf = (group: Group): readonly string[] => {
  const named = group.own.flatMap(({ schema }) => [
    ...(typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : []),
    ...(schema.nullable === true ? ['null'] : []),
  ])
  const types = [...new Set(named.filter((it): it is string => typeof it === 'string'))].sort()
  if (types.length > 0) return types
  if (group.unions.length > 0) return ['union']
  return group.own.some(({ schema }) => isObject(schema.properties)) ? ['object'] : ['any']
}

const formatOf = (group: Group): string | null => {
  for (const { schema } of group.own) if (typeof schema.format === 'string') return schema.format
  return null
}

const valuesOf = (group: Group): readonly string[] | null => {
  const lists = group.own.flatMap(({ schema }) => (Array.isArray(schema.enum) ? [schema.enum as readonly Json[]] : []))
  return lists.length === 0 ? null : lists.flat().map(canonical)
}

const deepest = 2

const readProperty = (side: Side, name: string, place: PlacedValue, depth: number): Property => {
  const group = groupOf(side, [place])
  const types = typesOf(group)
  const base = types.filter((it) => it !== 'null').join(' or ') || 'null'
  const items = base === 'array' ? itemsIn(group) : []
  const item = items.length > 0 && depth < deepest ? readProperty(side, '', items[0]!, depth + 1) : null
  const format = formatOf(group)
  const detail = item !== null ? ` of ${item.type}` : format !== null && base !== 'object' ? ` (${format})` : ''
  const values = valuesOf(group)
  let parts: ReadonlyMap<string, Property> | undefined
  let facts: ReadonlySet<string> | undefined
  return {
    name,
    base,
    type: `${base}${detail}${types.includes('null') && base !== 'null' ? ' or null' : ''}`,
    values,
    // For most properties only the type is requested.
    get parts() {
      parts ??= depth < deepest ? readProperties(side, place, depth + 1) : new Map<string, Property>()
      return parts
    },
    get facts() {
      facts ??= factsOf(group, this, item)
      return facts
    },
  }
}

const factsOf = (group: Group, { base, values, parts }: Property, item: Property | null): ReadonlySet<string> => {
  const said = group.own.flatMap(({ schema }) =>
    Object.entries(schema).filter(([key]) => !passedOver.has(key) && !key.startsWith('x-')),
  )
  return new Set([
    `type ${base}`,
    ...said.map(([key, value]) => `${key} ${canonical(value)}`),
    ...(values ?? []).map((value) => `value ${value}`),
    ...[...parts].map(([key, part]) => `property ${key} ${part.base}`),
    ...[...(item?.facts ?? [])].map((fact) => `item ${fact}`),
  ])
}

/** The properties of a schema by name, through references and `allOf`. */
export const readProperties = (side: Side, place: PlacedValue, depth = 0): ReadonlyMap<string, Property> => {
  const found = new Map<string, Property>()
  for (const { place: at, schema } of groupOf(side, [place]).own) {
    if (!isObject(schema.properties)) continue
    for (const [name, value] of Object.entries(schema.properties))
      found.set(name, readProperty(side, name, { value, path: [...at.path, 'properties', name] }, depth))
  }
  return found
}

/** How much of what two schemas say they both say, from 0 to 1; 0 where their types differ. */
export const similarity = (a: Property, b: Property): number => {
  if (a.base !== b.base) return 0
  const shared = [...a.facts].filter((fact) => b.facts.has(fact)).length
  return shared / (a.facts.size + b.facts.size - shared)
}

/** Whether a schema says more than its type, so that another one which says the same is hardly one by chance. */
export const isDistinctive = ({ facts }: Property): boolean => facts.size > 1

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)

/** How much two names have in common, from 0 to 1: shared words, else shared pairs of letters. */
export const likeness = (a: string, b: string): number => {
  const [left, right] = [wordsOf(a), wordsOf(b)]
  if (left.join('') === right.join('')) return 1
  const shared = left.filter((word) => right.includes(word)).length
  const byWords = (2 * shared) / (left.length + right.length)
  const pairs = (text: string): string[] =>
    Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2))
  const [x, y] = [pairs(left.join('')), pairs(right.join(''))]
  const rest = [...y]
  const common = x.filter((pair) => {
    const at = rest.indexOf(pair)
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  }).length
  return Math.max(byWords, x.length + y.length === 0 ? 0 : (2 * common) / (x.length + y.length))
}

/** Whether a name has all the words of another one and more: `first_name` and `name`. */
export const contains = (long: string, short: string): boolean => {
  const words = wordsOf(long)
  return wordsOf(short).every((word) => words.includes(word)) && words.length > wordsOf(short).length
}
