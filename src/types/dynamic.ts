import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatFragment } from '../kernel/pointer.ts'
import { resolveUri } from '../document/references-in-document.ts'
import { resourcesOf, type ResolvedSchema, type Resource, type Resources } from '../document/resource.ts'
import { jsonSchema07 } from '../document/validate/json-schema.ts'
import { rebuild } from '../document/validate/rebuild.ts'
import { mapDiscriminator } from '../import/convert/discriminator.ts'
import { ignoredBesideRef, upgradeKeywords, upgradePath } from '../import/convert/json-schema.ts'
import { asSchema } from './edges.ts'
import { dialectOf } from './same.ts'
import { hasScheme } from '../kernel/text.ts'

/**
 * Whether a schema declares or uses references whose target depends on the way to them (JSON Schema 2020-12, core, section
 * 8.2.3.2).
 * @param text JSON
 */
export const usesDynamicScope = (text: string): boolean => /"\$(?:dynamic|recursive)(?:Ref|Anchor)"/.test(text)

/** The fragment of a reference with its "#" where it is the name of an anchor; null for pointers and for none. */
export const anchorIn = (target: string): string | null => /#(?!\/|%2f).+$/is.exec(target)?.[0] ?? null

/**
 * A value in the mapping of a discriminator that is a plain name as the relative reference that it also is; null for others. In
 * another document the name would mean a schema of that document.
 */
export const asRelative = (target: string): string | null => (/^[\w.-]+$/.test(target) ? `./${target}` : null)

/** URIs of schema resources, no two the same. */
export class ResourceNames {
  readonly #taken: Set<string>

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken)
  }

  /** The first of the wanted names that is absolute and free; where all are taken the last one with a number. */
  claim(...wanted: readonly string[]): string {
    const last = wanted.at(-1) ?? ''
    let name = wanted.find((it) => hasScheme(it) && !this.#taken.has(it)) ?? last
    for (let n = 2; this.#taken.has(name); n++) name = `${last}-${n}`
    this.#taken.add(name)
    return name
  }
}

/** What leads out of a type: the resource that another type is, and the place in it. */
export interface Outside {
  readonly id: string
  readonly fragment: string
}

/** How a type is written as a schema resource of its own. */
export interface ResourceOptions {
  /** The identifier that it has in the document. */
  readonly id: string
  readonly names: ResourceNames
  /** Where a reference leads that the type does not resolve itself; null where that is not known. */
  readonly outside: (target: string) => Outside | null
}

class Writer {
  readonly #resources: Resources
  readonly #ids = new Map<Json, string>()
  readonly #options: ResourceOptions
  readonly #draft: string

  constructor(schema: JsonObject, options: ResourceOptions) {
    this.#resources = resourcesOf(schema, asSchema)
    this.#options = options
    this.#draft = dialectOf(schema)
    this.#ids.set(this.#resources.document.root, options.id)
  }

  #idOf({ root, base }: Resource): string {
    const known = this.#ids.get(root)
    if (known !== undefined) return known
    const { id, names } = this.#options
    const made = names.claim(hasScheme(base) ? base : `${id}/${base}`)
    this.#ids.set(root, made)
    return made
  }

  /** The place of a target, seen from a resource. */
  #addressOf({ path, resource }: ResolvedSchema, at: Resource, anchor: string | null): string {
    const prefix = resource.root === at.root ? '' : this.#idOf(resource)
    if (anchor !== null) return prefix + anchor
    const inner = path.slice(resource.path.length)
    return inner.length === 0 && prefix !== '' ? prefix : prefix + formatFragment(upgradePath(inner))
  }

  #moved(target: string, at: Resource, keepsAnchor: boolean): string {
    const found = this.#resources.resolve(target, at)
    const anchor = keepsAnchor ? anchorIn(target) : null
    if (found !== undefined) return this.#addressOf(found, at, anchor)
    const outside = this.#options.outside(target) ?? this.#options.outside(resolveUri(at.base, target))
    if (outside !== null) return outside.id + (anchor ?? outside.fragment)
    // In the document its own identifier is perhaps another one: relative references become absolute.
    return hasScheme(at.base) ? resolveUri(at.base, target) : target
  }

  // Draft 2019-09: "#" or the outermost resource that says "$recursiveAnchor" as well.
  #withoutRecursion(node: JsonObject, at: Resource): JsonObject {
    const { $recursiveRef: target, ...rest } = node
    if (typeof target !== 'string') return node
    if (target === '#' && isObject(at.root) && at.root.$recursiveAnchor === true) return node
    const $ref = this.#moved(target, at, false)
    if (rest.$ref === undefined) return { ...rest, $ref }
    return { ...rest, allOf: [...(Array.isArray(rest.allOf) ? rest.allOf : []), { $ref }] }
  }

  write(schema: JsonObject): JsonObject {
    return rebuild(jsonSchema07, schema, (name, node, path: Path) => {
      if (name !== 'Schema') return node
      const at = this.#resources.along(path).at(-1) ?? this.#resources.document
      const ignored = typeof node.$ref === 'string' ? ignoredBesideRef(node, this.#draft) : []
      const left = Object.fromEntries(Object.entries(node).filter(([key]) => !ignored.includes(key)))
      const moved: JsonObject = {
        ...left,
        ...(typeof left.$ref === 'string' ? { $ref: this.#moved(left.$ref, at, false) } : {}),
        ...(typeof left.$dynamicRef === 'string' ? { $dynamicRef: this.#moved(left.$dynamicRef, at, true) } : {}),
        ...(isObject(left.discriminator)
          ? { discriminator: mapDiscriminator(left.discriminator, (target) => this.#mapped(target, at)) }
          : {}),
      }
      const upgraded = upgradeKeywords(this.#withoutRecursion(moved, at))
      const begins = path.length === at.path.length && at.path.every((step, index) => step === path[index])
      return begins ? { $id: this.#idOf(at), ...upgraded } : upgraded
    })
  }

  #mapped(target: string, at: Resource): string {
    const moved = this.#moved(target, at, false)
    return moved === target ? (asRelative(target) ?? target) : moved
  }
}

/**
 * A type as a schema resource of its own in a document (JSON Schema 2020-12, core, section 9.3), in the words of 2020-12: where the
 * meaning of references depends on the resources that they came through, a type must stay one.
 */
export const writeResource = (schema: JsonObject, options: ResourceOptions): JsonObject =>
  new Writer(schema, options).write(schema)
