import { isObject, type Json, type JsonObject, type Path } from '../document/json.ts'
import { formatPointer } from '../document/pointer.ts'
import { bareUri, resolveUri, visitNodes, type Resource, type WalkStart } from '../document/references-in-document.ts'
import { resourcesOf } from '../document/resource.ts'
import { readRef, refOf } from './ref.ts'

/** A reference of a type that leaves its schema, or that finds nothing in it. */
export interface Edge {
  /** The place of the `$ref` keyword, as a JSON Pointer. */
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

const keywords = ['$ref', '$dynamicRef', '$recursiveRef'] as const

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
    (node: JsonObject, path, at) => {
      for (const keyword of keywords) {
        const target = node[keyword]
        if (typeof target !== 'string' || resources.resolve(target, at) !== undefined) continue
        found.push(edgeOf([...path, keyword], target, at, bases))
      }
    },
    asSchema,
  )
  return found
}

/**
 * A schema with some of its references replaced; `move` returns null for those that stay.
 * @param start how the value is read, where it is not a schema
 */
export function replaceRefs(
  schema: Json,
  move: (target: string, at: Resource, path: Path) => string | null,
  start: WalkStart = asSchema,
): Json {
  if (!isObject(schema)) return schema
  const moved = new Map<JsonObject, Record<string, string>>()
  visitNodes(
    schema,
    (node, path, at) => {
      for (const keyword of keywords) {
        const target = node[keyword]
        const next = typeof target === 'string' ? move(target, at, path) : null
        if (next !== null) moved.set(node, { ...moved.get(node), [keyword]: next })
      }
    },
    start,
  )
  return moved.size === 0 ? schema : rewrite(schema, moved)
}

function rewrite(value: Json, moved: ReadonlyMap<JsonObject, Record<string, string>>): Json {
  if (Array.isArray(value)) return value.map((it: Json) => rewrite(it, moved))
  if (!isObject(value)) return value
  const own = moved.get(value)
  const entries = Object.entries(value).map(([key, it]): [string, Json] => [key, own?.[key] ?? rewrite(it, moved)])
  return Object.fromEntries(entries)
}
