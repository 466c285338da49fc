/** Schemas of OpenAPI 3.1 (JSON Schema 2020-12) as those of OpenAPI 3.0.3, section "Schema Object". */
import { compareNumbers, exactAsJson, isNumeric } from '../../document/exact.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { schema30 } from '../../document/validate/schema-nodes.ts'
import type { Notes } from '../../import/notes.ts'
import { conditionsOf, containsOf, dependenciesOf } from '../schema/rewrite.ts'

type Mutable = Record<string, Json>

/** `false` and `true`, which are not schemas in 3.0. */
export const plainSchema = (schema: Json): Json => {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} }
  return schema
}

const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const
const singles = ['not', 'items', 'contains', 'if', 'then', 'else', 'propertyNames', 'unevaluatedItems'] as const
const maps = ['properties', 'patternProperties', 'dependentSchemas'] as const

const mapValues = (map: JsonObject, change: (value: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(map).map(([key, value]): [string, Json] => [key, change(value)]))

// Boolean schemas below a schema; `additionalProperties` may be one in 3.0 too.
function withPlainSchemas(schema: JsonObject): Mutable {
  const made: Mutable = { ...schema }
  for (const key of lists) if (Array.isArray(made[key])) made[key] = (made[key] as readonly Json[]).map(plainSchema)
  for (const key of singles) if (typeof made[key] === 'boolean' && key !== 'items') made[key] = plainSchema(made[key])
  for (const key of maps) if (isObject(made[key])) made[key] = mapValues(made[key], plainSchema)
  return made
}

// Bytes as they are: "binary" is the encoding that changes nothing (RFC 2045, section 6.2).
const isBinary = (encoding: Json | undefined, type: Json | undefined): boolean =>
  type === 'application/octet-stream'
    ? encoding === undefined || encoding === 'binary'
    : type === undefined && encoding === 'binary'

const isNull = (schema: unknown): boolean =>
  isObject(schema) &&
  Object.keys(schema).length === 1 &&
  Array.isArray(schema.enum) &&
  schema.enum.length === 1 &&
  schema.enum[0] === null

// What says nothing of the values that are valid.
const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'deprecated',
  'externalDocs',
  'readOnly',
  'writeOnly',
])

/** The conversion of one schema, whose children are converted already. */
class Downgrade {
  #schema: Mutable
  readonly #path: Path
  readonly #notes: Notes
  /** Conditions that hold in addition to the schema. */
  readonly #also: JsonObject[] = []

  readonly #isSelected: (ref: string) => boolean

  constructor(schema: JsonObject, path: Path, notes: Notes, isSelected: (ref: string) => boolean) {
    this.#schema = withPlainSchemas(schema)
    this.#path = path
    this.#notes = notes
    this.#isSelected = isSelected
  }

  run(): JsonObject {
    this.#identity()
    this.#type()
    this.#values()
    this.#bounds()
    this.#conditions()
    this.#items()
    this.#properties()
    this.#content()
    this.#lists()
    this.#nullBranch()
    this.#unknown()
    return this.#joined()
  }

  #note(code: string, message: string, key: string): void {
    this.#notes.add(code, message, [...this.#path, key])
  }

  #take(key: string): Json | undefined {
    const value = this.#schema[key]
    delete this.#schema[key]
    return value
  }

  // Kept under another name, for people.
  #keep(key: string, code: string, message: string): void {
    if (!Object.hasOwn(this.#schema, key)) return
    this.#note(code, message, key)
    this.#schema = Object.fromEntries(
      Object.entries(this.#schema).map(([name, value]) => [name === key ? `x-${key}` : name, value]),
    )
  }

  #identity(): void {
    const dialect = this.#take('$schema')
    if (typeof dialect === 'string' && !/2020-12|spec\.openapis\.org\/oas\/3\.1/.test(dialect))
      this.#note('schema-dialect', `Read a schema of the dialect "${dialect}" as JSON Schema 2020-12.`, '$schema')
    for (const key of ['$id', '$anchor', '$dynamicAnchor', '$comment', '$vocabulary', '$defs', 'definitions'])
      this.#take(key)
    if (!Object.hasOwn(this.#schema, 'nullable')) return
    // It has no effect in 3.1 and would have one here.
    this.#note('nullable-ignored', 'Removed "nullable", which has no effect in OpenAPI 3.1.', 'nullable')
    this.#take('nullable')
  }

  #type(): void {
    const { type } = this.#schema
    const types = [
      ...new Set(Array.isArray(type) ? (type as readonly Json[]).map(String) : type === 'null' ? ['null'] : []),
    ]
    if (types.length === 0) return
    this.#take('type')
    const others = types.filter((one) => one !== 'null')
    const nullable = types.includes('null')
    const [only] = others
    if (only === undefined) {
      // Null alone: no type of 3.0 has it, a list of values does.
      this.#also.push({ enum: [null] })
    } else if (others.length === 1) this.#schema = { type: only, ...(nullable ? { nullable } : {}), ...this.#schema }
    else
      this.#also.push({
        anyOf: others.map((one) => ({
          type: one,
          ...(nullable ? { nullable } : {}),
          ...(one === 'array' ? { items: {} } : {}),
        })),
      })
  }

  #values(): void {
    if (Object.hasOwn(this.#schema, 'const')) {
      const value = this.#take('const') ?? null
      if (this.#schema.enum === undefined) this.#schema.enum = [value]
      else this.#also.push({ enum: [value] })
    }
    // A list without values accepts none; 3.0 requires one.
    if (Array.isArray(this.#schema.enum) && this.#schema.enum.length === 0) {
      this.#take('enum')
      this.#also.push({ not: {} })
    }
    const { examples } = this.#schema
    if (!Array.isArray(examples)) return
    if (examples.length > 1 || Object.hasOwn(this.#schema, 'example'))
      this.#keep('examples', 'examples-left', 'Kept the first of the examples; the list became "x-examples".')
    this.#take('examples')
    if (examples.length > 0 && !Object.hasOwn(this.#schema, 'example')) this.#schema.example = examples[0] as Json
  }

  #bounds(): void {
    for (const [exclusive, bound, direction] of [
      ['exclusiveMinimum', 'minimum', 1],
      ['exclusiveMaximum', 'maximum', -1],
    ] as const) {
      const limit: unknown = this.#schema[exclusive]
      if (!isNumeric(limit)) continue
      this.#take(exclusive)
      const other: unknown = this.#schema[bound]
      // Of both, the tighter one decides.
      if (isNumeric(other) && compareNumbers(other, limit) * direction > 0) continue
      this.#schema[bound] = exactAsJson(limit)
      this.#schema[exclusive] = true
    }
  }

  #conditions(): void {
    this.#also.push(...conditionsOf(this.#schema), ...dependenciesOf(this.#schema))
    for (const key of ['if', 'then', 'else', 'dependentRequired', 'dependentSchemas']) this.#take(key)
  }

  #items(): void {
    const { contains, minContains, maxContains } = this.#schema
    if (contains !== undefined && maxContains === undefined && (minContains === undefined || minContains === 1)) {
      this.#also.push(containsOf(contains))
      this.#take('contains')
    } else if (minContains === 0 && maxContains === undefined) this.#take('contains')
    if (contains !== undefined && Object.hasOwn(this.#schema, 'contains'))
      this.#keep('contains', 'contains-count', 'Kept "contains", "minContains" and "maxContains" as extensions.')
    for (const key of ['minContains', 'maxContains']) {
      const count = this.#take(key)
      if (count !== undefined && Object.hasOwn(this.#schema, 'x-contains')) this.#schema[`x-${key}`] = count
    }
    const { prefixItems, items } = this.#schema
    if (Array.isArray(prefixItems)) {
      this.#keep('prefixItems', 'prefix-items', 'Read the tuple as an array whose items may be any of its schemas.')
      if (items === false) {
        const most = this.#schema.maxItems
        this.#schema.maxItems = typeof most === 'number' ? Math.min(most, prefixItems.length) : prefixItems.length
        this.#schema.items = { anyOf: prefixItems }
      } else
        this.#schema.items = items === undefined || items === true ? {} : { anyOf: [...(prefixItems as Json[]), items] }
    } else if (typeof items === 'boolean') this.#schema.items = plainSchema(items)
    this.#unevaluated('unevaluatedItems', 'items')
  }

  #properties(): void {
    const { patternProperties, additionalProperties } = this.#schema
    if (isObject(patternProperties)) {
      this.#keep('patternProperties', 'pattern-properties', 'Kept "patternProperties" as an extension.')
      const schemas = Object.values<Json>(patternProperties)
      const rest = additionalProperties === false ? [] : [plainSchema(additionalProperties ?? true)]
      const every = [...schemas, ...rest]
      const isOpen = every.some((it) => isObject(it) && Object.keys(it).length === 0)
      if (additionalProperties !== undefined && every.length > 0)
        this.#schema.additionalProperties = isOpen ? true : every.length === 1 ? (every[0] as Json) : { anyOf: every }
    }
    this.#keep('propertyNames', 'property-names', 'Kept "propertyNames" as an extension.')
    this.#unevaluated('unevaluatedProperties', 'additionalProperties')
  }

  // Where no other schema applies at the place, "unevaluated" is "additional".
  #unevaluated(key: 'unevaluatedItems' | 'unevaluatedProperties', additional: 'items' | 'additionalProperties'): void {
    const value = this.#schema[key]
    if (value === undefined) return
    const applies = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'x-prefixItems', 'x-patternProperties', 'x-contains']
    const isAlone =
      this.#also.every((it) => it.enum !== undefined) && !applies.some((it) => Object.hasOwn(this.#schema, it))
    if (value === true || (isObject(value) && Object.keys(value).length === 0)) this.#take(key)
    else if (Object.hasOwn(this.#schema, additional) && isAlone) this.#take(key)
    else if (isAlone) {
      this.#take(key)
      this.#schema[additional] = value
    } else this.#keep(key, 'unevaluated', `Kept "${key}" as an extension.`)
  }

  #content(): void {
    const { contentEncoding, contentMediaType, format } = this.#schema
    if (format === undefined && contentEncoding === 'base64' && contentMediaType === undefined) {
      this.#take('contentEncoding')
      this.#schema.format = 'byte'
    } else if (format === undefined && isBinary(contentEncoding, contentMediaType)) {
      this.#take('contentMediaType')
      this.#take('contentEncoding')
      this.#schema.format = 'binary'
    }
    for (const key of ['contentEncoding', 'contentMediaType', 'contentSchema'])
      this.#keep(key, 'content-keywords', `Kept "${key}" as an extension.`)
  }

  // 3.0 requires that an array says what its items are, and that lists have an entry.
  #lists(): void {
    const { required, type } = this.#schema
    if (type === 'array') this.#schema.items ??= {}
    if (!Array.isArray(required)) return
    if (required.length === 0) this.#take('required')
    else if (new Set(required).size < required.length) this.#schema.required = [...new Set<Json>(required)]
  }

  // "A or null", where A has a type, is what "nullable" is for; other schemas keep null as one of them.
  #nullBranch(): void {
    for (const key of ['anyOf', 'oneOf']) {
      const branches = this.#schema[key]
      if (!Array.isArray(branches) || !isNull(branches.at(-1))) continue
      const others = (branches as readonly Json[]).slice(0, -1)
      const at = others.findIndex(
        (it) => isObject(it) && typeof it.type === 'string' && it.enum === undefined && it.nullable !== true,
      )
      const branch = others[at]
      if (isObject(branch)) this.#schema[key] = others.with(at, { nullable: true, ...branch })
    }
  }

  #unknown(): void {
    for (const key of Object.keys(this.#schema))
      if (!key.startsWith('x-') && key !== '$ref' && !Object.hasOwn(schema30.fields, key))
        this.#keep(key, 'keyword-unknown', `Kept the keyword "${key}" as an extension.`)
  }

  // What is beside a reference is ignored in 3.0: both become conditions that hold together.
  #joined(): JsonObject {
    const { $ref, ...rest } = this.#schema
    const own = Object.keys(rest).length === 0 && this.#also.length === 0
    if ($ref !== undefined && (own || this.#mustBeBare(String($ref), rest))) return { $ref }
    const also = [...($ref === undefined ? [] : [{ $ref }]), ...this.#also]
    if (also.length === 0) return rest
    const [one] = also
    // One condition takes its place beside the others where its keyword is free.
    if (
      one !== undefined &&
      also.length === 1 &&
      $ref === undefined &&
      Object.keys(one).every((key) => !Object.hasOwn(rest, key))
    )
      return { ...rest, ...one }
    return { ...rest, allOf: [...also, ...(Array.isArray(rest.allOf) ? (rest.allOf as readonly Json[]) : [])] }
  }

  // A discriminator selects schemas by their references, and what has one within "allOf" is a schema to select.
  #mustBeBare(ref: string, rest: JsonObject): boolean {
    const keys = Object.keys(rest)
    if (this.#also.length > 0 || !keys.every((key) => annotations.has(key) || key.startsWith('x-'))) return false
    const around = this.#path.at(-2)
    if (around !== 'oneOf' && around !== 'anyOf' && !this.#isSelected(ref)) return false
    this.#notes.add('reference-texts', `Removed ${keys.map((key) => `"${key}"`).join(', ')} beside "$ref".`, this.#path)
    return true
  }
}

/**
 * A schema of OpenAPI 3.1 as one of 3.0 that accepts the same values, unless a loss is noted. Its children are converted already,
 * and its references are pointers.
 *
 * @param isSelected whether the schema of a reference has a discriminator
 */
export const downgradeSchema = (
  schema: JsonObject,
  path: Path,
  notes: Notes,
  isSelected: (ref: string) => boolean,
): JsonObject => new Downgrade(schema, path, notes, isSelected).run()
