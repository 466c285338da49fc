import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatFragment, parseFragment } from '../kernel/pointer.ts'
import { parseDocument } from '../document/parse.ts'
import { resolveUri, visitNodes } from '../document/references-in-document.ts'
import { resourcesOf } from '../document/resource.ts'
import { jsonSchema2020 } from '../document/validate/json-schema.ts'
import { rebuild } from '../document/validate/rebuild.ts'
import { embedSchema, upgradePath } from '../import/convert/json-schema.ts'
import { Notes } from '../import/notes.ts'
import type { RenderSource } from '../import/render-source.ts'
import { anchorIn, asRelative, ResourceNames, usesDynamicScope, writeResource, type Outside } from './dynamic.ts'
import { asSchema, edgesOf, type RefHolder } from './edges.ts'
import { readRef, writeRef } from '../kernel/type-ref.ts'
import { OutwardReplacer } from './replace-outward.ts'
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

interface Found {
  readonly ref: string
  readonly type: UsedType
  readonly fragment: string
}

/** The type that a reference names, as it is written or in the one way that `svc:` references have; null where none is given. */
function findUsed(types: UsedTypes, target: string): Found | null {
  const bare = withoutFragment(target)
  const read = readRef(target)
  const names = read === null ? [bare] : [bare, writeRef({ ...read, fragment: '' })]
  const name = names.find((it) => Object.hasOwn(types, it))
  const type = name === undefined ? undefined : types[name]
  return name === undefined || type === undefined ? null : { ref: name, type, fragment: target.slice(bare.length + 1) }
}

/** The types that stay schema resources of their own, by identity: those that use dynamic anchors, and what these refer to. */
function resourcesAmong(types: UsedTypes): Map<string, { readonly ref: string; readonly type: UsedType }> {
  const found = new Map<string, { readonly ref: string; readonly type: UsedType }>()
  const waiting = Object.entries(types).filter(([, { schema }]) => usesDynamicScope(schema))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [ref, type] = next
    if (found.has(type.identity)) continue
    found.set(type.identity, { ref, type })
    for (const { target, key } of edgesOf(JSON.parse(type.schema) as Json)) {
      const other = findUsed(types, target) ?? (key === null ? null : findUsed(types, key))
      if (other !== null) waiting.push([other.ref, other.type])
    }
  }
  return found
}

class Components {
  readonly #types: UsedTypes
  readonly #taken: Set<string>
  readonly #names = new Map<string, string>()
  readonly #waiting: [name: string, type: UsedType][] = []
  /** The identifiers of the types that stay schema resources, by identity. */
  readonly #ids = new Map<string, string>()
  readonly #resourceNames: ResourceNames

  constructor(types: UsedTypes, taken: Iterable<string>, openapi: JsonObject) {
    this.#types = types
    this.#taken = new Set(taken)
    const kept = resourcesAmong(types)
    this.#resourceNames = new ResourceNames(kept.size === 0 ? [] : identifiersIn(openapi))
    // By reference, so that the identifiers do not depend on the order in which types were found.
    const sorted = [...kept].toSorted(([, a], [, b]) => (a.ref < b.ref ? -1 : 1))
    for (const [identity, { ref, type }] of sorted) {
      const { base } = resourcesOf(JSON.parse(type.schema) as Json, asSchema).document
      this.#ids.set(identity, this.#resourceNames.claim(base, ref))
    }
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

  /** A reference of the document to a registered type as it is written there; null where there is no such type. */
  moved(target: string, holder: RefHolder): string | null {
    // A dynamic reference stays one only by the name of its anchor, in the resource that has it.
    const anchor = holder === '$dynamicRef' ? anchorIn(target) : null
    const outside = anchor === null ? null : this.#outside(target)
    if (outside !== null) return outside.id + anchor
    const path = this.pathOf(target)
    return path === null ? null : formatFragment(path)
  }

  #placeIn({ schema }: UsedType, fragment: string): Path {
    if (fragment === '') return []
    if (fragment.startsWith('/')) return parseFragment(fragment) ?? []
    const value = JSON.parse(schema) as Json
    if (!isObject(value)) return []
    const resources = resourcesOf(value, asSchema)
    return resources.within(fragment, resources.document)?.path ?? []
  }

  /** Another type that is a schema resource of its own, as references name it. */
  #outside(target: string): Outside | null {
    const used = findUsed(this.#types, target)
    const id = used === null ? undefined : this.#ids.get(used.type.identity)
    if (used === null || id === undefined) return null
    this.#nameOf(used.type)
    const inner = upgradePath(this.#placeIn(used.type, used.fragment))
    return { id, fragment: inner.length === 0 ? '' : formatFragment(inner) }
  }

  /** The schemas of all types that were asked for, and of those that they refer to. */
  schemas(): { readonly added: JsonObject; readonly resources: ReadonlySet<string> } {
    const added: Record<string, Json> = {}
    const resources = new Set<string>()
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const [name, type] = next
      const schema = JSON.parse(type.schema) as Json
      const id = this.#ids.get(type.identity)
      if (id === undefined || !isObject(schema)) {
        added[name] = this.#embed(name, schema, type.schema)
        continue
      }
      resources.add(name)
      const outside = (target: string) => this.#outside(target)
      added[name] = writeResource(schema, { id, names: this.#resourceNames, outside })
    }
    return { added, resources }
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
    const mapped = (target: string, path: Path): string | null => {
      const found = move(target, path)
      return found === null ? asRelative(target) : formatFragment(found)
    }
    const notes = new Notes(parseDocument(text, { source: 'type.json', syntax: 'json' }))
    const whole = embedSchema(schema, move, notes, dialectOf(schema), mapped)
    return text.includes('"$anchor"') ? withoutAnchors(whole) : whole
  }
}

// All references to them are pointers by now, and the document may have the same names.
const withoutAnchors = (schema: JsonObject): JsonObject =>
  rebuild(jsonSchema2020, schema, (name, node) => {
    if (name !== 'Schema' || typeof node.$anchor !== 'string') return node
    const { $anchor: _, ...rest } = node
    return rest
  })

function identifiersIn(openapi: JsonObject): Set<string> {
  const found = new Set<string>()
  visitNodes(openapi, (_, __, { base }) => {
    if (base !== '') found.add(base)
  })
  return found
}

/**
 * A version with the registered types that it refers to as schemas of its own, so that its documents are complete. Their names
 * are kept; one that is taken gets a number. References to types that are not given stay as they are. Types that use dynamic
 * anchors stay schema resources with an `$id`, because the meaning of these depends on the resources that references came through.
 */
export const bundleTypes = (source: RenderSource, types: UsedTypes): RenderSource => bundleWith(source, types).source

/** What a version is with its types. */
interface Bundled {
  readonly source: RenderSource
  /** The names of the schemas that were added. */
  readonly added: ReadonlySet<string>
  /** Those among them that are schema resources of their own. */
  readonly resources: ReadonlySet<string>
}

/** The same with the names of the schemas that were added. */
export function bundleWith(source: RenderSource, types: UsedTypes): Bundled {
  if (Object.keys(types).length === 0) return { source, added: new Set(), resources: new Set() }
  const { components } = source.openapi
  const own = isObject(components) && isObject(components.schemas) ? components.schemas : {}
  const bundled = new Components(types, [...Object.keys(own), ...Object.keys(source.classes)], source.openapi)
  const replacer = new OutwardReplacer((target, holder) => bundled.moved(target, holder))
  const openapi = replacer.replace(source.openapi, 'node') as JsonObject
  const classes = Object.fromEntries(
    Object.entries(source.classes).map(([name, it]) => [name, replacer.replace(it, 'schema')]),
  )
  const { added, resources } = bundled.schemas()
  const before = isObject(openapi.components) ? openapi.components : {}
  const schemas = { ...(isObject(before.schemas) ? before.schemas : {}), ...added }
  const whole = {
    ...source,
    openapi: { ...openapi, components: { ...before, schemas } },
    classes: { ...classes, ...added },
  }
  return { source: whole, added: new Set(Object.keys(added)), resources }
}
