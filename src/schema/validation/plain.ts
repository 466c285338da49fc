/**
 * Most schemas say a type, a format, a list, members, and refer to others that do; most values fit them. That is seen here, without what an
 * interpretation of all keywords is prepared for: reasons, remembered answers, what was evaluated.
 */
import type { Resource } from '../../document/resource.ts'
import { isExact } from '../../document/exact.ts'
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { isListed } from './equal.ts'
import { fitsFormat } from './formats.ts'
import { Links } from './links.ts'
import { toPattern } from './pattern.ts'
import { throughNames } from './reference-chain.ts'
import type { Dialect, ValidateOptions } from './run.ts'
import { allowsType } from './types.ts'

const looked =
  'type enum format minimum maximum minLength maxLength pattern items minItems maxItems properties required additionalProperties $ref allOf anyOf oneOf'
/** They say nothing about a value. A discriminator says what the caller makes of it. */
const silent =
  'title description example examples default deprecated readOnly writeOnly externalDocs xml nullable x-nullable $comment $defs definitions discriminator'
/** Schemas with other keywords are left to the interpreter. */
const known: ReadonlySet<string> = new Set(`${looked} ${silent}`.split(' '))

/** What takes more is for the interpreter, which remembers answers and counts on. */
const deepest = 60
const mostSteps = 5000

/** Whether it is certain that a value fits a schema; false says nothing. */
export class PlainCheck {
  /** How many schemas were looked at. */
  steps = 0
  readonly #root: Json
  readonly #options: ValidateOptions
  readonly #dialect: Dialect
  readonly #siblings: boolean
  readonly #instance: (value: Json) => Json
  #links: Links | null = null
  #depth = 0

  /** @param siblings whether keywords beside `$ref` hold */
  constructor(root: Json, options: ValidateOptions, dialect: Dialect, siblings: boolean) {
    this.#root = root
    this.#options = options
    this.#dialect = dialect
    this.#siblings = siblings
    this.#instance = options.instance ?? ((value) => value)
  }

  /** Asks about a schema of the document itself, or of the innermost resource that leads to it. */
  holds(schema: Json, value: Json): boolean {
    return this.#holds(schema, value, this.#options.scope?.at(-1) ?? null)
  }

  /** `at` is the resource that the schema is in; null for the document. */
  #holds(schema: Json, written: Json, at: Resource | null): boolean {
    if (schema === false) return false
    if (!isObject(schema)) return true
    if (++this.steps > mostSteps || this.#depth > deepest) return false
    for (const key in schema) if (!known.has(key) && !key.startsWith('x-')) return false
    const value = this.#instance(written)
    this.#depth++
    const ok =
      (typeof schema.$ref !== 'string' || this.#holdsOfTarget(schema.$ref, value, at)) &&
      ((typeof schema.$ref === 'string' && !this.#siblings) || this.#holdsItself(schema, value, at))
    this.#depth--
    return ok
  }

  #holdsOfTarget(reference: string, value: Json, at: Resource | null): boolean {
    const links = (this.#links ??= new Links(this.#root, this.#options, this.#dialect))
    const run = { resolve: (ref: string, from: Resource) => links.resolve(ref, from) }
    const target = throughNames(run, links.resolve(reference, at ?? links.document))
    return target === undefined || this.#holds(target.schema, value, target.resource)
  }

  #holdsItself(schema: JsonObject, value: Json, at: Resource | null): boolean {
    if (this.#excludes(schema, value)) return false
    const { format, allOf, anyOf, oneOf } = schema
    if (typeof format === 'string' && this.#options.formats !== false && !fitsFormat(format, value)) return false
    if (Array.isArray(allOf) && !allOf.every((it) => this.#holds(it as Json, value, at))) return false
    if (Array.isArray(anyOf) && !anyOf.some((it) => this.#holds(it as Json, value, at))) return false
    if (Array.isArray(oneOf) && !this.#holdsOfOne(oneOf as readonly Json[], value, at)) return false
    if (typeof value === 'string') return fitsText(schema, value)
    if (typeof value === 'number') return isWithin(schema, value)
    if (typeof value !== 'object' || value === null) return true
    if (Array.isArray(value)) return this.#holdsOfList(schema, value as readonly Json[], at)
    return !isExact(value) && isObject(value) && this.#holdsOfObject(schema, value, at)
  }

  /** Whether the type or the list of a schema is certain to refuse a value. */
  #excludes(schema: JsonObject, value: Json): boolean {
    if (schema.type !== undefined && !allowsType(this.#dialect, schema, value)) return true
    return Array.isArray(schema.enum) && !isListed(schema.enum as readonly Json[], value)
  }

  /** Whether one branch holds and all others are certain not to. */
  #holdsOfOne(branches: readonly Json[], value: Json, at: Resource | null): boolean {
    const left = branches.filter((it) => !isObject(it) || it.$ref !== undefined || !this.#excludes(it, value))
    return left.length === 1 && this.#holds(left[0]!, value, at)
  }

  #holdsOfList({ items, minItems, maxItems }: JsonObject, value: readonly Json[], at: Resource | null): boolean {
    if (typeof minItems === 'number' && value.length < minItems) return false
    if (typeof maxItems === 'number' && value.length > maxItems) return false
    if (Array.isArray(items)) return false
    return items === undefined || value.every((it) => this.#holds(items, it, at))
  }

  #holdsOfObject(schema: JsonObject, value: JsonObject, at: Resource | null): boolean {
    const { properties, required, additionalProperties: others } = schema
    if (Array.isArray(required))
      for (const name of required) if (typeof name === 'string' && !Object.hasOwn(value, name)) return false
    const declared = isObject(properties) ? properties : {}
    for (const name of Object.keys(value)) {
      const inner = Object.hasOwn(declared, name) ? declared[name] : others
      if (inner !== undefined && !this.#holds(inner, value[name] as Json, at)) return false
    }
    return true
  }
}

function fitsText({ minLength, maxLength, pattern }: JsonObject, value: string): boolean {
  if (typeof maxLength === 'number' && value.length > maxLength) return false
  // A character may be two units.
  if (typeof minLength === 'number' && value.length < 2 * minLength)
    if (value.length < minLength || /[\ud800-\udfff]/.test(value)) return false
  return typeof pattern !== 'string' || toPattern(pattern)?.test(value) !== false
}

const isWithin = ({ minimum, maximum }: JsonObject, value: number): boolean =>
  (minimum === undefined || (typeof minimum === 'number' && value >= minimum)) &&
  (maximum === undefined || (typeof maximum === 'number' && value <= maximum))
