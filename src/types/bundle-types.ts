import { isObject, type Json, type JsonObject, type Path } from '../document/json.ts'
import { formatFragment, parseFragment } from '../document/pointer.ts'
import { parseDocument } from '../document/parse.ts'
import { resolveUri } from '../document/references-in-document.ts'
import { resourcesOf } from '../document/resource.ts'
import { embedSchema, upgradePath } from '../import/convert/json-schema.ts'
import { Notes } from '../import/notes.ts'
import type { RenderSource } from '../render/source.ts'
import { asSchema, replaceRefs } from './edges.ts'
import { readRef, writeRef } from './ref.ts'
import { withoutFragment } from './outward.ts'
import { dialectOf } from './same.ts'

/** A registered type as a document uses it. */
export interface UsedType {
  readonly name: string
  /** The same for references that mean the same revision of the same type. */
  readonly identity: string
  /** JSON text. */
  readonly schema: string
}

/** Registered types by the reference that names them, without a fragment. */
export type UsedTypes = Readonly<Record<string, UsedType>>

/** The type that a reference names, as it is written or in the one way that `svc:` references have; null where none is given. */
function findUsed(types: UsedTypes, target: string): { readonly type: UsedType; readonly fragment: string } | null {
  const bare = withoutFragment(target)
  const read = readRef(target)
  const names = read === null ? [bare] : [bare, writeRef({ ...read, fragment: '' })]
  const name = names.find((it) => Object.hasOwn(types, it))
  const type = name === undefined ? undefined : types[name]
  return type === undefined ? null : { type, fragment: target.slice(bare.length + 1) }
}

class Components {
  readonly #types: UsedTypes
  readonly #taken: Set<string>
  readonly #names = new Map<string, string>()
  readonly #waiting: [name: string, type: UsedType][] = []

  constructor(types: UsedTypes, taken: Iterable<string>) {
    this.#types = types
    this.#taken = new Set(taken)
  }

  #nameOf(type: UsedType): string {
    const known = this.#names.get(type.identity)
    if (known !== undefined) return known
    const plain = type.name.replaceAll(/[^A-Za-z0-9._-]+/g, '_')
    let name = plain
    for (let n = 2; this.#taken.has(name); n++) name = `${plain}_${n}`
    this.#taken.add(name)
    this.#names.set(type.identity, name)
    this.#waiting.push([name, type])
    return name
  }

  /** Where a reference to a registered type leads in the document; null where there is no such type. */
  pathOf(target: string): Path | null {
    const used = findUsed(this.#types, target)
    if (used === null) return null
    const { type, fragment } = used
    return ['components', 'schemas', this.#nameOf(type), ...upgradePath(this.#placeIn(type, fragment))]
  }

  #placeIn({ schema }: UsedType, fragment: string): Path {
    if (fragment === '') return []
    if (fragment.startsWith('/')) return parseFragment(fragment) ?? []
    const value = JSON.parse(schema) as Json
    if (!isObject(value)) return []
    const resources = resourcesOf(value, asSchema)
    return resources.within(fragment, resources.document)?.path ?? []
  }

  /** The schemas of all types that were asked for, and of those that they refer to. */
  schemas(): JsonObject {
    const found: Record<string, Json> = {}
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const [name, type] = next
      found[name] = this.#embed(name, JSON.parse(type.schema) as Json, type.schema)
    }
    return found
  }

  #embed(name: string, schema: Json, text: string): Json {
    if (!isObject(schema)) return schema
    const resources = resourcesOf(schema, asSchema)
    const move = (target: string, path: Path): Path | null => {
      const at = resources.along(path).at(-1) ?? resources.document
      const inner = resources.resolve(target, at)
      // A type may name another one by where it is beside its own `$id`.
      return inner === undefined
        ? (this.pathOf(target) ?? this.pathOf(resolveUri(at.base, target)))
        : ['components', 'schemas', name, ...upgradePath(inner.path)]
    }
    const notes = new Notes(parseDocument(text, { source: 'type.json', syntax: 'json' }))
    return embedSchema(schema, move, notes, dialectOf(schema))
  }
}

/**
 * A version with the registered types that it refers to as schemas of its own, so that its documents are complete. Their names
 * are kept; one that is taken gets a number. References to types that are not given stay as they are.
 */
export const bundleTypes = (source: RenderSource, types: UsedTypes): RenderSource => bundleWith(source, types).source

/** The same with the names of the schemas that were added. */
export function bundleWith(
  source: RenderSource,
  types: UsedTypes,
): { readonly source: RenderSource; readonly added: ReadonlySet<string> } {
  if (Object.keys(types).length === 0) return { source, added: new Set() }
  const { components } = source.openapi
  const own = isObject(components) && isObject(components.schemas) ? components.schemas : {}
  const bundled = new Components(types, [...Object.keys(own), ...Object.keys(source.classes)])
  const move = (target: string): string | null => {
    const path = bundled.pathOf(target)
    return path === null ? null : formatFragment(path)
  }
  const openapi = replaceRefs(source.openapi, move, {}) as JsonObject
  const classes = Object.fromEntries(Object.entries(source.classes).map(([name, it]) => [name, replaceRefs(it, move)]))
  const added = bundled.schemas()
  const before = isObject(openapi.components) ? openapi.components : {}
  const schemas = { ...(isObject(before.schemas) ? before.schemas : {}), ...added }
  const whole = {
    ...source,
    openapi: { ...openapi, components: { ...before, schemas } },
    classes: { ...classes, ...added },
  }
  return { source: whole, added: new Set(Object.keys(added)) }
}
