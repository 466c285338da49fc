/** Schemas that are put together by `allOf`, as the one object that a reader sends or gets. */
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'

/** What an object may say so that its properties can be listed among those of another, without changing what is valid. */
const plainWords = new Set([
  'type',
  'properties',
  'required',
  'allOf',
  'title',
  'description',
  'examples',
  'example',
  'discriminator',
  'deprecated',
  'externalDocs',
  'xml',
  '$ref',
])
/** So many parts are put together; more are shown as parts. */
const mostParts = 200

export interface Merged {
  /** The schema with the properties of its parts; parts that say more than properties stay in its `allOf`. */
  readonly schema: JsonObject
  /** The names of the schemas that it has the properties of, in the order of the document. */
  readonly names: readonly string[]
}

const partsOf = (schema: JsonObject): readonly Json[] =>
  Array.isArray(schema.allOf) ? (schema.allOf as readonly Json[]) : []

const isPlainObject = (schema: JsonObject): boolean =>
  (schema.type === undefined || schema.type === 'object') &&
  (isObject(schema.properties) || partsOf(schema).length > 0) &&
  Object.keys(schema).every((key) => plainWords.has(key) || key.startsWith('x-'))

class Merger {
  readonly properties = new Map<string, Json[]>()
  readonly required = new Set<Json>()
  readonly names: string[] = []
  readonly rest: Json[] = []
  readonly #named: (ref: string) => { readonly name: string; readonly schema: Json } | null
  readonly #seen = new Set<string>()
  #parts = 0

  constructor(named: (ref: string) => { readonly name: string; readonly schema: Json } | null) {
    this.#named = named
  }

  own(schema: JsonObject): void {
    for (const [name, property] of isObject(schema.properties) ? Object.entries(schema.properties) : [])
      this.properties.set(name, [...(this.properties.get(name) ?? []), property])
    for (const name of Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [])
      this.required.add(name)
  }

  /** Takes a part apart, and says whether it could be; otherwise it stays a part. */
  #take(part: Json): boolean {
    if (!isObject(part) || ++this.#parts > mostParts) return false
    if (typeof part.$ref === 'string') {
      const target = this.#named(part.$ref)
      if (target === null || !isObject(target.schema) || !isPlainObject(target.schema)) return false
      if (Object.keys(part).some((key) => !['$ref', 'description', 'title'].includes(key))) return false
      // A schema that contains itself says nothing more the second time.
      if (this.#seen.has(target.name)) return true
      this.#seen.add(target.name)
      this.names.push(target.name)
      this.inside(target.schema)
      return true
    }
    if (!isPlainObject(part)) return false
    this.inside(part)
    return true
  }

  inside(schema: JsonObject): void {
    for (const part of partsOf(schema)) if (!this.#take(part)) this.rest.push(part)
    this.own(schema)
  }
}

/**
 * Lists the properties of the objects that a schema is put together of as its own: "part 1" and "part 2" tell a reader nothing.
 * A property of two parts must be valid under both, and is an `allOf` of the two. A part that says more than properties (a choice, a
 * condition, that there are no others) stays one, and so does one that is no object.
 * @param named gives the schema that a reference names; null where it names none
 * @returns null where nothing can be put together
 */
export function mergeAllOf(
  schema: JsonObject,
  named: (ref: string) => { readonly name: string; readonly schema: Json } | null,
): Merged | null {
  if (partsOf(schema).length === 0 || !(schema.type === undefined || schema.type === 'object')) return null
  const merger = new Merger(named)
  merger.inside(schema)
  if (merger.properties.size === 0 || merger.rest.length === partsOf(schema).length) return null
  const { allOf: _, ...own } = schema
  return {
    schema: {
      ...own,
      type: 'object',
      properties: Object.fromEntries(
        [...merger.properties].map(([name, all]): [string, Json] => [
          name,
          all.length === 1 ? (all[0] ?? true) : { allOf: all },
        ]),
      ),
      required: [...merger.required],
      ...(merger.rest.length === 0 ? {} : { allOf: merger.rest }),
    },
    names: merger.names,
  }
}
