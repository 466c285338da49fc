import { isObject } from '../kernel/json.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import type { Direction, SchemaSource } from './schema-source.ts'

const none: ReadonlySet<string> = new Set()
const deepest = 12

/**
 * Knows which properties are not sent in a direction: the read-only ones of a request, the write-only ones of a response. What
 * they are is said anywhere in the schema of the whole object, and where they are required is another place of it: "if the
 * property is marked as readOnly being true and is in the required list, the required will take effect on the response only"
 * (OpenAPI 3.0.3, "Schema Object"). Swagger 2.0 has no `writeOnly`.
 */
export class Unsent {
  private readonly names = new WeakMap<JsonObject, ReadonlySet<string>>()
  private readonly demands = new WeakMap<JsonObject, ReadonlySet<string>>()
  private readonly source: SchemaSource
  private readonly word: 'readOnly' | 'writeOnly' | null

  constructor(source: SchemaSource, direction: Direction) {
    this.source = source
    const word = direction === 'request' ? 'readOnly' : 'writeOnly'
    this.word = direction === null || (word === 'writeOnly' && source.dialect === 'swagger-2.0') ? null : word
  }

  /** Whether a property says that it is not sent. */
  isUnsent(property: Json | undefined, depth = 0): boolean {
    if (this.word === null || !isObject(property) || depth > deepest) return false
    if (property[this.word] === true) return true
    return this.partsOf(property).some((part) => this.isUnsent(part, depth + 1))
  }

  /** The properties of an object that are not sent, whichever part of its schema says so. */
  namesOf(schema: Json, depth = 0): ReadonlySet<string> {
    if (this.word === null || !isObject(schema) || depth > deepest) return none
    const known = this.names.get(schema)
    if (known) return known
    const found = new Set<string>()
    this.names.set(schema, found)
    if (isObject(schema.properties))
      for (const [name, it] of Object.entries(schema.properties)) if (this.isUnsent(it)) found.add(name)
    for (const part of this.partsOf(schema)) for (const name of this.namesOf(part, depth + 1)) found.add(name)
    return found
  }

  /** Of some names those that a schema asks for anywhere: only for these it matters that they are not sent. */
  within(schema: Json, names: ReadonlySet<string>): ReadonlySet<string> {
    if (names.size === 0) return none
    const own = this.namesOf(schema)
    return new Set([...this.demandedBy(schema)].filter((name) => names.has(name) && !own.has(name)))
  }

  private demandedBy(schema: Json, depth = 0): ReadonlySet<string> {
    if (!isObject(schema) || depth > deepest) return none
    const known = this.demands.get(schema)
    if (known) return known
    const found = new Set<string>()
    this.demands.set(schema, found)
    if (Array.isArray(schema.required))
      for (const name of schema.required as readonly Json[]) if (typeof name === 'string') found.add(name)
    const branches = (['anyOf', 'oneOf'] as const).flatMap((word) =>
      Array.isArray(schema[word]) ? (schema[word] as readonly Json[]) : [],
    )
    for (const part of [...this.partsOf(schema), ...branches, schema.then, schema.else])
      if (part !== undefined) for (const name of this.demandedBy(part, depth + 1)) found.add(name)
    return found
  }

  /** The schemas that hold for the same value as the whole of another one. */
  private partsOf(schema: JsonObject): readonly Json[] {
    const target = typeof schema.$ref === 'string' ? this.source.resolve(schema.$ref) : null
    return [
      ...(target ? [target.schema] : []),
      ...(Array.isArray(schema.allOf) ? (schema.allOf as readonly Json[]) : []),
    ]
  }
}
