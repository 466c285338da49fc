import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { bareUri, resolveUri, visitNodes, type Resource, type WalkStart } from '../document/references-in-document.ts'
import { resourcesOf } from '../document/resource.ts'
import { readRef, refOf } from '../kernel/type-ref.ts'

/** A reference of a type that leaves its schema, or that finds nothing in it. */
export interface Edge {
  /** The place of the `$ref` keyword, or of the value in the mapping of a discriminator, as a JSON Pointer. */
  readonly pointer: string
  /** The reference as it is written. */
  readonly target: string
  /**
   * What the registry knows the target by: its `svc:` reference without revision and fragment, or an absolute URI without
   * fragment. Null where nothing outside of the schema is named.
   */
  readonly key: string | null
  /** The revision that the reference names. */
  readonly revision: number | null
}

/** The keywords that hold a reference. */
export const refKeywords = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** The mapping of a schema's discriminator (OpenAPI 3.1.0, section 4.8.25), which holds references too; null where it has none. */
export const mappingOf = ({ discriminator }: JsonObject): JsonObject | null =>
  discriminator !== undefined && isObject(discriminator) && isObject(discriminator.mapping)
    ? discriminator.mapping
    : null

/** How schemas of the registry are read: all values are schemas. */
export const asSchema = { schema: true } as const

function edgeOf(path: Path, target: string, at: Resource, bases: readonly string[]): Edge {
  const pointer = formatPointer(path)
  const ref = readRef(target, bases)
  if (ref !== null) return { pointer, target, key: refOf(ref), revision: ref.revision }
  if (target === '' || target.startsWith('#')) return { pointer, target, key: null, revision: null }
  const uri = resolveUri(at.base, target)
  return { pointer, target, key: /^[a-z][a-z0-9+.-]*:/i.test(uri) ? bareUri(uri) : null, revision: null }
}

/**
 * The references of a schema that leave it or find nothing in it, in the order of the schema.
 * @param bases addresses of this registry, as `readRef` takes them
 */
export function edgesOf(schema: Json, bases: readonly string[] = []): Edge[] {
  if (!isObject(schema)) return []
  const resources = resourcesOf(schema, asSchema)
  const found: Edge[] = []
  visitNodes(
    schema,
    (node: JsonObject, path, at, role) => {
      const add = (place: Path, target: Json | undefined) => {
        if (typeof target !== 'string' || resources.resolve(target, at) !== undefined) return
        found.push(edgeOf([...path, ...place], target, at, bases))
      }
      for (const keyword of refKeywords) add([keyword], node[keyword])
      const mapping = role === 'schema' ? mappingOf(node) : null
      for (const [value, target] of Object.entries(mapping ?? {})) add(['discriminator', 'mapping', value], target)
    },
    asSchema,
  )
  return found
}

/** What holds a reference: a keyword, or the mapping of a discriminator. */
export type RefHolder = (typeof refKeywords)[number] | 'mapping'

/** What becomes of a reference; null where it stays as it is. `path` is that of the object that holds it. */
export type MoveRef = (target: string, at: Resource, path: Path, holder: RefHolder) => string | null

/**
 * A schema with some of its references replaced, those in mappings of discriminators as well.
 * @param start how the value is read, where it is not a schema
 */
export function replaceRefs(schema: Json, move: MoveRef, start: WalkStart = asSchema): Json {
  if (!isObject(schema)) return schema
  const moved = new Map<JsonObject, Record<string, string>>()
  const replaceIn = (node: JsonObject, key: string, next: string | null) => {
    if (next !== null) moved.set(node, { ...moved.get(node), [key]: next })
  }
  visitNodes(
    schema,
    (node, path, at, role) => {
      for (const keyword of refKeywords) {
        const target = node[keyword]
        if (typeof target === 'string') replaceIn(node, keyword, move(target, at, path, keyword))
      }
      const mapping = role === 'schema' ? mappingOf(node) : null
      if (mapping === null) return
      for (const [value, target] of Object.entries(mapping))
        if (typeof target === 'string') replaceIn(mapping, value, move(target, at, path, 'mapping'))
    },
    start,
  )
  return moved.size === 0 ? schema : rewrite(schema, moved)
}

function rewrite(value: Json, moved: ReadonlyMap<JsonObject, Record<string, string>>): Json {
  if (Array.isArray(value)) return value.map((it: Json) => rewrite(it, moved))
  if (!isObject(value)) return value
  const own = moved.get(value)
  const entries = Object.entries(value).map(([key, it]): [string, Json] => [
    key,
    own !== undefined && Object.hasOwn(own, key) ? (own[key] as string) : rewrite(it, moved),
  ])
  return Object.fromEntries(entries)
}
