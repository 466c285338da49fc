import { FormatRegistry, type TSchema } from '@sinclair/typebox'
import { TypeCompiler, ValueErrorType, type TypeCheck, type ValueError } from '@sinclair/typebox/compiler'
import { Value } from '@sinclair/typebox/value'
import { ValidationError, type ValidationEntry } from '../../src/api/wire.ts'
import { fitsFormat } from '../../src/schema/validation/formats.ts'
import { unescapeToken } from '../../src/kernel/pointer.ts'
import { inCharacters, schemasWithin } from './character-lengths.ts'

// The format that the endpoints declare, checked alike over HTTP and in this process: RFC 3339, section 5.6.
FormatRegistry.Set('date-time', (text) => fitsFormat('date-time', text))

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>()

// Compiled on first use, so that a short-lived command pays only for the operations it calls.
function checkOf(schema: TSchema): TypeCheck<TSchema> {
  let check = compiled.get(schema)
  if (!check) compiled.set(schema, (check = TypeCompiler.Compile(schema)))
  return check
}

const unknownProperty = { msg: 'Unknown property.', type: 'extra_forbidden' } as const

function entryOf(where: string, error: ValueError): ValidationEntry {
  const loc = [
    where,
    ...error.path
      .split('/')
      .slice(1)
      .map((part) => (/^\d+$/.test(part) ? Number(part) : unescapeToken(part))),
  ]
  if (error.type === ValueErrorType.ObjectRequiredProperty)
    return { loc, msg: 'This property is required.', type: 'missing' }
  if (error.type === ValueErrorType.ObjectAdditionalProperties) return { loc, ...unknownProperty }
  const choices = (error.schema.anyOf as TSchema[] | undefined)?.map((one) => one.const as unknown)
  if (choices?.every((one) => typeof one === 'string'))
    return { loc, msg: `Expected one of: ${choices.join(', ')}.`, type: 'enum' }
  const branches = (error.schema.anyOf as TSchema[] | undefined) ?? []
  const kinds = branches.map((one) => String(one.type ?? 'value'))
  // Where a value can also be null, the message is about the other type.
  const only = kinds.filter((it) => it !== 'null').length === 1 ? kinds.findIndex((it) => it !== 'null') : -1
  const within = error.errors[only]?.First()
  if (within) return entryOf(where, within)
  if (branches.length > 0) return { loc, msg: `Expected ${[...new Set(kinds)].join(' or ')}.`, type: 'union_type' }
  return { loc, msg: `${error.message}.`, type: `${String(error.schema.type ?? 'value')}_type` }
}

// RFC 8259, section 6.
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * A value as its schema declares it, of the text that paths, queries and headers have. A number is written as JSON writes
 * it, without fraction or exponent where it is an integer, and a boolean as true or false; any other text stays, and is
 * then refused.
 */
function readText(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => readText((schema.items as TSchema | undefined) ?? schema, one))
  if (typeof value !== 'string') return value
  if (schema.type === 'array') return [readText(schema.items as TSchema, value)]
  if (schema.type === 'integer') return /^-?(?:0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value
  if (schema.type === 'number') return jsonNumber.test(value) ? Number(value) : value
  if (schema.type === 'boolean') {
    if (value === 'true') return true
    return value === 'false' ? false : value
  }
  for (const branch of (schema.anyOf as TSchema[] | undefined) ?? []) {
    const read = readText(branch, value)
    if (read !== value) return read
  }
  return value
}

const readTexts = (schema: TSchema, values: unknown): unknown =>
  Object.fromEntries(
    Object.entries(values as Record<string, unknown>).map(([name, value]) => {
      const declared = (schema.properties as Readonly<Record<string, TSchema>>)[name]
      return [name, declared === undefined ? value : readText(declared, value)]
    }),
  )

const defaulting = new WeakMap<TSchema, boolean>()

/** Whether a schema, or one within it, has a default. */
function hasDefault(schema: TSchema): boolean {
  const before = defaulting.get(schema)
  if (before !== undefined) return before
  const has = 'default' in schema || schemasWithin(schema).some(hasDefault)
  defaulting.set(schema, has)
  return has
}

/**
 * A value with the defaults that its schema declares. TypeBox copies what it fills in, so that it gets only the parts that have defaults: what is
 * open may be as large as a body.
 */
function withDefaults(schema: TSchema, value: unknown): unknown {
  if (!hasDefault(schema)) return value
  const isOwn = value !== null && typeof value === 'object' && !Array.isArray(value)
  if (schema.type !== 'object' || !isOwn || 'default' in schema || schema.patternProperties !== undefined)
    return Value.Default(schema, value)
  const filled: Record<string, unknown> = { ...value }
  for (const [key, part] of Object.entries((schema.properties ?? {}) as Readonly<Record<string, TSchema>>)) {
    if (!hasDefault(part)) continue
    const own = withDefaults(part, filled[key])
    if (own !== undefined) filled[key] = own
  }
  return filled
}

/** Declared properties that name things: two spellings of one name in Unicode are one name. */
const nameProperties: ReadonlySet<string> = new Set([
  'name',
  'project_name',
  'label',
  'namespace',
  'handle',
  'slug',
  'org_name',
  'category',
  'tag',
  'tags',
  'owner',
])

const inNfc = (value: unknown): unknown => {
  if (typeof value === 'string') return value.normalize('NFC')
  return Array.isArray(value) ? value.map(inNfc) : value
}

type Place = readonly (string | number)[]

/** So many properties more than are declared are refused before anything else: checking half a million takes a second. */
const maxSurplus = 1000
const maxEntries = 50

/** @throws ValidationError for a closed object that has far more properties than are declared */
function refuseCrowd(declared: object, keys: readonly string[], place: Place): void {
  if (keys.length <= Object.keys(declared).length + maxSurplus) return
  const unknown: ValidationEntry[] = []
  for (const key of keys) {
    if (Object.hasOwn(declared, key)) continue
    unknown.push({ loc: [...place, key], ...unknownProperty })
    if (unknown.length === maxEntries) break
  }
  throw new ValidationError(unknown)
}

/**
 * A value with the names that its schema declares in Unicode's composed form (NFC); all other texts stay as they are.
 * @throws ValidationError for a closed object that has far more properties than are declared
 */
function withNames(schema: TSchema, value: unknown, place: Place): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const { items } = schema as { readonly items?: TSchema }
    return items === undefined ? value : value.map((it, index) => withNames(items, it, [...place, index]))
  }
  const parts = (schema.anyOf ?? schema.allOf ?? [schema]) as readonly TSchema[]
  const declared = Object.assign({}, ...parts.map((it) => it.properties as object | undefined)) as Record<
    string,
    TSchema
  >
  // What is open may have half a million keys, which nobody asks for here.
  if (parts.every((it) => it.additionalProperties === false)) refuseCrowd(declared, Object.keys(value), place)
  else if (Object.keys(declared).length === 0) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => {
      const own = Object.hasOwn(declared, key) ? declared[key] : undefined
      if (own === undefined) return [key, it]
      return [key, nameProperties.has(key) ? inNfc(it) : withNames(own, it, [...place, key])]
    }),
  )
}

/** The part of a request that an error names. */
export type PartName = 'path' | 'query' | 'header' | 'body'

/**
 * Checks one part of a request against its schema and gives it with defaults filled in; strings of paths, queries and
 * headers are converted to the declared types first, names are composed (NFC), and lengths are counted in characters.
 * @throws ValidationError with at most 50 entries
 */
export function checkPart(where: PartName, schema: TSchema, value: unknown): unknown {
  const named = withNames(schema, where === 'body' ? value : readTexts(schema, value), [where])
  const filled = withDefaults(schema, named)
  const check = checkOf(schema)
  const counted = inCharacters(schema, filled)
  if (check.Check(counted)) return filled
  const entries: ValidationEntry[] = []
  const seen = new Set<string>()
  for (const error of check.Errors(counted)) {
    // A missing property is reported a second time as a value of the wrong type.
    if (seen.has(error.path)) continue
    seen.add(error.path)
    entries.push(entryOf(where, error))
    if (entries.length === maxEntries) break
  }
  throw new ValidationError(entries)
}

/**
 * The same for a part as it was sent: the schema of a body says nothing of bytes, nor of a body that may be absent and is.
 * @throws ValidationError
 */
export const checkSent = (where: PartName, schema: TSchema, value: unknown): unknown =>
  value === undefined || value instanceof Uint8Array ? value : checkPart(where, schema, value)
