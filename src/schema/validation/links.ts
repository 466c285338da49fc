import type { Draft } from '../../document/draft.ts'
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { resolveUri } from '../../document/references-in-document.ts'
import { Resources, resourcesOf, type ResolvedSchema, type Resource } from '../../document/resource.ts'
import { typeScheme } from '../../kernel/type-ref.ts'
import type { Dialect, ValidateOptions } from './run.ts'

const draftOf = (dialect: Dialect): Draft => (dialect === 'openapi-2.0' || dialect === 'openapi-3.0' ? 'none' : dialect)

const isApi = (root: Json): boolean => isObject(root) && (root.openapi !== undefined || root.swagger !== undefined)

/** The references of one validation: within its document, and into the others that it is given. */
export class Links {
  readonly document: Resource
  readonly #main: Resources
  readonly #draft: Draft
  readonly #external: ValidateOptions['external']
  readonly #linked: ValidateOptions['linked']
  /** Which document a resource belongs to, where that is another one than the main one. */
  readonly #homes = new Map<Resource, Resources>()
  readonly #others = new Map<string, Resources>()

  constructor(root: Json, options: ValidateOptions, dialect: Dialect) {
    this.#draft = draftOf(dialect)
    this.#external = options.external
    this.#linked = options.linked
    this.#main = resourcesOf(root, { base: options.base ?? '', draft: this.#draft, schema: !isApi(root) })
    this.document = this.#main.document
  }

  /** What a reference means; undefined where it leads to nothing that is available. */
  resolve(reference: string, at: Resource): ResolvedSchema | undefined {
    if (this.#linked !== undefined) {
      const schema = this.#linked(reference)
      return schema === undefined ? undefined : { schema, path: [], resource: at }
    }
    const home = this.#homes.get(at) ?? this.#main
    const found = home.resolve(reference, at) ?? this.#elsewhere(reference, at)
    if (found !== undefined && home !== this.#main)
      this.#homes.set(found.resource, this.#homes.get(found.resource) ?? home)
    return found
  }

  #elsewhere(reference: string, at: Resource): ResolvedSchema | undefined {
    if (this.#external === undefined || reference === '' || reference.startsWith('#')) return undefined
    const [uri = '', fragment = ''] = resolveUri(at.base, reference).split('#', 2)
    for (const known of [this.#main, ...this.#others.values()]) {
      const resource = known.byUri(uri)
      if (resource !== undefined) return this.#keep(known, known.within(fragment, resource))
    }
    const value = this.#external(uri, reference.split('#', 1)[0] ?? '')
    if (value === undefined) return undefined
    // Registered types are JSON Schemas, also where the schemas of the document are not.
    const draft = this.#draft === 'none' && uri.startsWith(typeScheme) ? '2020-12' : this.#draft
    const other = resourcesOf(value, { base: uri, draft, schema: !isApi(value) })
    this.#others.set(uri, other)
    return this.#keep(other, other.within(fragment, other.byUri(uri) ?? other.document))
  }

  #keep(home: Resources, found: ResolvedSchema | undefined): ResolvedSchema | undefined {
    if (found !== undefined && home !== this.#main) this.#homes.set(found.resource, home)
    return found
  }

  enter(schema: JsonObject, at: Resource): Resource {
    const home = this.#homes.get(at) ?? this.#main
    const inner = home.enter(schema, at)
    if (inner !== at && home !== this.#main) this.#homes.set(inner, home)
    return inner
  }

  dynamicAnchor(at: Resource, name: string): ResolvedSchema | undefined {
    return (this.#homes.get(at) ?? this.#main).dynamicAnchor(at, name)
  }
}
