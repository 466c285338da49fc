/** Schemas as people read them: a type, what limits it, and its members. */
import type { Member, SchemaView, Segment } from '../../api/reader.ts'
import { isObject, type Json, type JsonObject, textOf } from '../../kernel/json.ts'
import { parseFragment } from '../../kernel/pointer.ts'
import { mergeAllOf } from './merge-all-of.ts'

export type { Member, SchemaView, Segment } from '../../api/reader.ts'

/** How many views a page may have (what is written once may be used in many places), and the schemas that references name. */
export interface Budget {
  left: number
  readonly schemas: JsonObject
}

const deepest = 16
const longestFact = 300

const isEmpty = (schema: Json): boolean =>
  schema === true ||
  (isObject(schema) &&
    Object.keys(schema).every((key) => ['title', 'description', 'examples', 'example'].includes(key)))

const short = (value: Json): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= longestFact ? text : `${text.slice(0, longestFact)}…`
}

const nameOf = (ref: string): string | null => {
  const path = ref.startsWith('#') ? parseFragment(ref) : null
  return path?.length === 3 && path[0] === 'components' && path[1] === 'schemas' ? (path[2] ?? null) : null
}

const joined = (parts: readonly (readonly Segment[])[], word: string): Segment[] =>
  parts.flatMap((part, index): Segment[] => (index === 0 ? [...part] : [` ${word} `, ...part]))

const words = { oneOf: 'or', anyOf: 'or', allOf: 'and' } as const
const combined = ['allOf', 'oneOf', 'anyOf'] as const

const branchesOf = (schema: JsonObject, key: (typeof combined)[number]): readonly Json[] =>
  Array.isArray(schema[key]) ? (schema[key] as readonly Json[]) : []

const isNamed = (schema: Json): boolean =>
  isObject(schema) && typeof schema.$ref === 'string' && nameOf(schema.$ref) !== null

const isPlain = (schema: Json): boolean =>
  isNamed(schema) ||
  (isObject(schema) &&
    typeof schema.type === 'string' &&
    !['object', 'array'].includes(schema.type) &&
    schema.enum === undefined)

/** The type of a schema in words. */
export function typeOf(schema: Json, depth = 0): readonly Segment[] {
  if (schema === false) return ['nothing']
  if (!isObject(schema) || isEmpty(schema)) return ['any']
  if (typeof schema.$ref === 'string') {
    const name = nameOf(schema.$ref)
    return name === null ? [schema.$ref] : [{ schema: name }]
  }
  if (schema.const !== undefined) return [short(schema.const)]
  const { type, format } = schema
  const types = (Array.isArray(type) ? (type as readonly Json[]) : [type]).filter((it) => typeof it === 'string')
  if (types.length > 0) {
    const parts = types.map((it): readonly Segment[] =>
      it === 'array' && depth < 4 ? ['array of ', ...typeOf(schema.items ?? true, depth + 1)] : [it],
    )
    return [...joined(parts, 'or'), ...(typeof format === 'string' ? [` (${format})`] : [])]
  }
  for (const key of combined) {
    const branches = branchesOf(schema, key)
    if (branches.length > 0 && branches.length <= 12 && branches.every(isPlain))
      return joined(
        branches.map((it) => typeOf(it, depth + 1)),
        words[key],
      )
    if (branches.length > 0) return [key === 'allOf' ? 'all of' : key === 'oneOf' ? 'one of' : 'any of']
  }
  if (isObject(schema.properties)) return ['object']
  return Array.isArray(schema.enum) ? ['enum'] : ['any']
}

const facts: readonly (readonly [key: string, say: (value: string) => string])[] = [
  ['minLength', (it) => `at least ${it} characters`],
  ['maxLength', (it) => `at most ${it} characters`],
  ['pattern', (it) => `matches ${it}`],
  ['minimum', (it) => `at least ${it}`],
  ['exclusiveMinimum', (it) => `more than ${it}`],
  ['maximum', (it) => `at most ${it}`],
  ['exclusiveMaximum', (it) => `less than ${it}`],
  ['multipleOf', (it) => `a multiple of ${it}`],
  ['minItems', (it) => `at least ${it} items`],
  ['maxItems', (it) => `at most ${it} items`],
  ['minProperties', (it) => `at least ${it} properties`],
  ['maxProperties', (it) => `at most ${it} properties`],
  ['contentEncoding', (it) => `encoded as ${it}`],
  ['contentMediaType', (it) => `content is ${it}`],
  ['default', (it) => `default ${it}`],
]

function factsOf(schema: JsonObject): string[] {
  const said = facts.flatMap(([key, say]) => (schema[key] === undefined ? [] : [say(short(schema[key]))]))
  if (Array.isArray(schema.enum))
    said.unshift(`one of ${short((schema.enum as readonly Json[]).map((it) => short(it)).join(', '))}`)
  if (schema.uniqueItems === true) said.push('no item twice')
  if (schema.readOnly === true) said.push('read only')
  if (schema.writeOnly === true) said.push('write only')
  if (schema.additionalProperties === false) said.push('no other properties')
  if (Array.isArray(schema.examples) && schema.examples.length > 0)
    said.push(`example ${short(schema.examples[0] as Json)}`)
  else if (schema.example !== undefined) said.push(`example ${short(schema.example)}`)
  return said
}

/** The members that have something to say: those of objects, of items, and the parts of combinations. */
function membersOf(schema: JsonObject, depth: number, budget: Budget): Member[] {
  const required = new Set(Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [])
  const member = (name: string, it: Json, isRequired = false): Member => ({
    name,
    required: isRequired,
    view: viewSchema(it, budget, depth + 1),
  })
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const patterns = isObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : []
  const { items, additionalProperties: others, prefixItems } = schema
  const made = properties.map(([name, it]) => member(name, it, required.has(name)))
  made.push(...patterns.map(([pattern, it]) => member(`/${pattern}/`, it)))
  if (isObject(others) && !isEmpty(others)) made.push(member('other properties', others))
  if (Array.isArray(prefixItems))
    made.push(...(prefixItems as readonly Json[]).map((it, index) => member(`item ${index + 1}`, it)))
  if (isObject(items) && !isPlain(items) && !isEmpty(items)) made.push(member('each item', items))
  for (const key of combined) {
    const branches = branchesOf(schema, key)
    if (branches.every(isPlain) && schema.type === undefined && properties.length === 0) continue
    made.push(...branches.map((it, index) => member(`${key === 'allOf' ? 'part' : 'option'} ${index + 1}`, it)))
  }
  for (const key of ['not', 'if', 'then', 'else', 'contains'] as const) {
    const it = schema[key]
    if (it !== undefined) made.push(member(key, it))
  }
  return made
}

/** A schema as people read it. References are names, so that a cycle ends; the objects of an `allOf` are one object. */
export function viewSchema(schema: Json, budget: Budget, depth = 0): SchemaView {
  if (!isObject(schema)) return { type: typeOf(schema), facts: [], description: '', deprecated: false, members: [] }
  const merged = mergeAllOf(schema, (ref) => {
    const name = nameOf(ref)
    const found = name === null ? undefined : budget.schemas[name]
    return name === null || found === undefined ? null : { name, schema: found }
  })
  const shown = merged?.schema ?? schema
  const names = (merged?.names ?? []).map((name): Segment[] => [{ schema: name }])
  const isCut = depth >= deepest || budget.left <= 0
  budget.left--
  return {
    type: names.length === 0 ? typeOf(shown) : ['object: ', ...joined(names, 'and')],
    facts: [...factsOf(shown), ...(isCut ? ['the document says more'] : [])],
    description: textOf(shown.description),
    deprecated: shown.deprecated === true,
    members: isCut ? [] : membersOf(shown, depth, budget),
    ...(merged === null ? {} : { isMerged: true }),
  }
}
