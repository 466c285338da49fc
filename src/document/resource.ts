import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { parseFragment } from '../kernel/pointer.ts'
import {
  bareUri,
  identifierOf,
  resolveUri,
  rootResource,
  visitNodes,
  type Resource,
  type WalkStart,
} from './references-in-document.ts'
import { decodedOrSame, splitFragment } from '../kernel/text.ts'

export type { Resource } from './references-in-document.ts'

/** What a reference leads to. */
export interface ResolvedSchema {
  readonly schema: Json
  readonly path: Path
  /** The resource that it belongs to: what its own references are relative to. */
  readonly resource: Resource
}

interface Named {
  readonly schema: JsonObject
  readonly path: Path
}

interface Names {
  readonly plain: Map<string, Named>
  readonly dynamic: Map<string, Named>
}

const nothing: Names = { plain: new Map(), dynamic: new Map() }

/**
 * The schema resources of one document, with their anchors: what every reference within it is resolved by. It is scanned when
 * first something other than a pointer is asked for, so that documents without identifiers are not.
 */
export class Resources {
  readonly document: Resource
  readonly #start: WalkStart
  #byRoot: Map<Json, Resource> | null = null
  readonly #byUri = new Map<string, Resource>()
  readonly #names = new Map<Json, Names>()
  readonly #known = new Map<Resource, Map<string, ResolvedSchema | undefined>>()

  constructor(value: Json, start: WalkStart = {}) {
    this.#start = start
    this.document = rootResource(value, start)
  }

  #scan(): Map<Json, Resource> {
    if (this.#byRoot !== null) return this.#byRoot
    const byRoot = new Map<Json, Resource>([[this.document.root, this.document]])
    this.#byRoot = byRoot
    if (this.document.base !== '') this.#byUri.set(this.document.base, this.document)
    visitNodes(
      this.document.root,
      (node, path, walked, role) => {
        if (role === 'stray') return
        let at = byRoot.get(walked.root)
        if (at === undefined) {
          at = walked
          byRoot.set(at.root, at)
          if (!this.#byUri.has(at.base)) this.#byUri.set(at.base, at)
        }
        this.#name(node, path, at)
      },
      this.#start,
    )
    return byRoot
  }

  #name(node: JsonObject, path: Path, at: Resource): void {
    const { draft } = at
    if (draft === 'none') return
    const names: string[] = []
    // Drafts 04 to 07 write anchors as identifiers that are a fragment.
    const [, fragment] = splitFragment(identifierOf(node, draft) ?? '')
    if (fragment !== '') names.push(fragment)
    if (typeof node.$anchor === 'string') names.push(node.$anchor)
    if (typeof node.$dynamicAnchor === 'string') names.push(node.$dynamicAnchor)
    if (names.length === 0) return
    const it: Named = { schema: node, path: [...path] }
    const known = this.#namesOf(at)
    for (const name of names) known.plain.set(name, it)
    if (typeof node.$dynamicAnchor === 'string') known.dynamic.set(node.$dynamicAnchor, it)
  }

  #namesOf(at: Resource): Names {
    let names = this.#names.get(at.root)
    if (names === undefined) this.#names.set(at.root, (names = { plain: new Map(), dynamic: new Map() }))
    return names
  }

  /** The resource that begins at a schema met in `current`; `current` where the schema begins none. */
  enter(schema: JsonObject, current: Resource): Resource {
    if (schema === current.root || current.draft === 'none') return current
    if (typeof schema.$id !== 'string' && typeof schema.id !== 'string') return current
    return this.#scan().get(schema) ?? current
  }

  /** The resource with that URI: the document, or one embedded in it. */
  byUri(uri: string): Resource | undefined {
    const bare = bareUri(uri)
    if (bare === this.document.base && bare !== '') return this.document
    this.#scan()
    return this.#byUri.get(bare)
  }

  /** The resource that a path of the document is in, and those around it, from the outside in. */
  along(path: Path): readonly Resource[] {
    const chain = [this.document]
    let node: Json | undefined = this.document.root
    let current = this.document
    for (const step of path) {
      node = (node as JsonObject | undefined)?.[step]
      if (node === undefined) break
      if (!isObject(node)) continue
      const entered = this.enter(node, current)
      if (entered !== current) chain.push(entered)
      current = entered
    }
    return chain
  }

  /** What carries a "$dynamicAnchor" of that name in this very resource. */
  dynamicAnchor(resource: Resource, name: string): ResolvedSchema | undefined {
    this.#scan()
    const found = (this.#names.get(resource.root) ?? nothing).dynamic.get(name)
    return found && { ...found, resource }
  }

  /** The names of the dynamic anchors of a resource. */
  dynamicNames(resource: Resource): readonly string[] {
    this.#scan()
    return [...(this.#names.get(resource.root) ?? nothing).dynamic.keys()]
  }

  /** What a fragment names within a resource: a JSON Pointer (RFC 6901) or an anchor. */
  within(fragment: string, resource: Resource): ResolvedSchema | undefined {
    const steps = fragment === '' || fragment.startsWith('/') || /^%2f/i.test(fragment) ? parseFragment(fragment) : null
    if (steps !== null) return this.#follow(steps, resource)
    this.#scan()
    const found = (this.#names.get(resource.root) ?? nothing).plain.get(decodedOrSame(fragment))
    return found && { ...found, resource }
  }

  #follow(steps: readonly string[], resource: Resource): ResolvedSchema | undefined {
    let node: Json | undefined = resource.root
    let current = resource
    const path: (string | number)[] = [...resource.path]
    for (const step of steps) {
      if (Array.isArray(node)) {
        const index = /^(?:0|[1-9]\d*)$/.test(step) ? Number(step) : -1
        node = (node as readonly Json[])[index]
        path.push(index)
      } else if (isObject(node) && Object.hasOwn(node, step)) {
        node = node[step]
        path.push(step)
      } else return undefined
      if (node === undefined) return undefined
      if (isObject(node)) current = this.enter(node, current)
    }
    return { schema: node, path, resource: current }
  }

  /**
   * What a reference means (RFC 3986, section 5; JSON Schema 2020-12, core, sections 8.2.3 and 9.1) where it stays within the
   * document; undefined where it leads to another one or to nothing.
   */
  resolve(reference: string, from: Resource): ResolvedSchema | undefined {
    let known = this.#known.get(from)
    if (known === undefined) this.#known.set(from, (known = new Map()))
    if (known.has(reference)) return known.get(reference)
    const found = this.#resolve(reference, from)
    known.set(reference, found)
    return found
  }

  #resolve(reference: string, from: Resource): ResolvedSchema | undefined {
    if (reference === '' || reference.startsWith('#')) {
      const found = this.within(reference.slice(1), from)
      // Below an "$id" most API descriptions still mean the whole document by "#/components/…".
      const api = isObject(this.document.root) && this.document.root.openapi !== undefined
      return found ?? (api && reference.startsWith('#/') ? this.within(reference.slice(1), this.document) : undefined)
    }
    const [uri, fragment] = splitFragment(resolveUri(from.base, reference))
    const resource = this.byUri(uri)
    return resource && this.within(fragment, resource)
  }
}

const cache = new WeakMap<object, Map<string, Resources>>()

const plainCache = new WeakMap<object, Resources>()
const asItIs: WalkStart = {}

/** The resources of a document, made once for each way to read it. */
export const resourcesOf = (value: Json, start: WalkStart = asItIs): Resources => {
  if (typeof value !== 'object' || value === null) return new Resources(value, start)
  // Asked for at every reference.
  if (start === asItIs) {
    let plain = plainCache.get(value)
    if (plain === undefined) plainCache.set(value, (plain = new Resources(value, start)))
    return plain
  }
  let known = cache.get(value)
  if (known === undefined) cache.set(value, (known = new Map()))
  const key = `${start.draft ?? ''} ${start.schema ?? ''} ${start.base ?? ''}`
  let made = known.get(key)
  if (made === undefined) known.set(key, (made = new Resources(value, start)))
  return made
}
