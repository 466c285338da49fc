/** Makes one self-contained document of several files that refer to each other. */
import type { Document } from '../../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../document/json.ts'
import { followPath, formatFragment, formatPointer } from '../../document/pointer.ts'
import type { Range } from '../../document/position.ts'
import { baseAt, type Documents, findReferences, resolveReference, resolveUri } from '../../document/reference.ts'
import { resourcesOf } from '../../document/resource.ts'
import type { Grammar, Shape } from '../../document/validate/grammar.ts'
import { schema2020 } from '../../document/validate/schema-nodes.ts'
import { fieldOf, hasTypeOf, grammarOf } from '../../document/validate/structure.ts'
import { type Named, nameAll } from './names.ts'
import { type Sections, sectionsOf } from './sections.ts'

/** Where a node of a bundle was written. */
export interface Origin {
  readonly document: Document
  readonly path: Path
  readonly range: Range
}

/** One document made of many. */
export interface Bundle {
  readonly value: JsonObject
  /** Where the node at a path of the bundle is in the files it was made of. */
  readonly originOf: (path: Path) => Origin
}

/** A place in a file, and what is expected there. */
interface ExpectedNode {
  readonly document: Document
  readonly path: Path
  readonly value: Json
  readonly shape: Shape
}

// Where the walk is: in which file, at which place of it, at which place of the bundle, and what was inlined on the way.
interface At {
  readonly document: Document
  readonly path: Path
  /** Null while a place is looked at that has no name yet. */
  readonly out: Path | null
  readonly inlined: ReadonlyMap<string, Path>
}

const step = (at: At, key: string | number): At => ({
  ...at,
  path: [...at.path, key],
  out: at.out === null ? null : [...at.out, key],
})

const keyOf = (file: string, path: Path, section: string): string => `${file}#${formatPointer(path)} ${section}`

// What names a schema in its own file; in the bundle it would change what references beside it mean.
const identity: ReadonlySet<string> = new Set(['$id', '$anchor', '$schema'])
const definitions: ReadonlySet<string> = new Set(['$defs', 'definitions'])

const usesDynamicScope = (document: Document): boolean => /"?\$(?:dynamic|recursive)(?:Ref|Anchor)/.test(document.text)

const omit = (value: JsonObject, isLeftOut: (key: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !isLeftOut(key)))

class Bundler {
  readonly #entry: Document
  readonly #documents: Documents
  readonly #grammar: Grammar
  readonly #sections: Sections
  /** Places of other files that get a name, by their key. */
  readonly #places = new Map<string, ExpectedNode & { readonly section: Path }>()
  readonly #aliases = new Map<string, { readonly name: string; readonly path: Path }[]>()
  /** Whether the schemas of the entry keep their identifiers. */
  readonly #keepsIdentifiers: boolean
  readonly #origins = new Map<string, { readonly document: Document; readonly path: Path }>()
  #names: ReadonlyMap<string, string> | null = null

  constructor(entry: Document, documents: Documents, grammar: Grammar, sections: Sections) {
    this.#entry = entry
    this.#documents = documents
    this.#grammar = grammar
    this.#sections = sections
    this.#keepsIdentifiers = usesDynamicScope(entry) || !leavesEmbedded(entry)
  }

  run(): Bundle {
    const root: Shape = { kind: 'node', name: this.#grammar.root, reference: false }
    const start: At = { document: this.#entry, path: [], out: [], inlined: new Map() }
    const entry = this.#entry.value
    // First everything that is reached gets a name, then it is written: a name depends on all others.
    this.#walk(root, entry, start)
    for (const { document, path, value, shape } of this.#places.values())
      this.#walk(shape, value, { document, path, out: null, inlined: new Map() })
    this.#names = this.#nameAll()
    this.#origins.set('', { document: this.#entry, path: [] })
    let value = this.#walk(root, entry, start) as JsonObject
    const placed = [...this.#places].flatMap(([key, place]) => {
      const name = this.#names?.get(key)
      return name === undefined || this.#homeOf(key) !== null ? [] : [{ name, place }]
    })
    for (const { name, place } of placed.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const out = [...place.section, name]
      const at: At = { document: place.document, path: place.path, out, inlined: new Map() }
      this.#origins.set(formatPointer(out), place)
      value = insert(value, out, this.#hoisted(place, this.#walk(place.shape, place.value, at)))
    }
    return { value, originOf: (path) => this.#originOf(path) }
  }

  #nameAll(): ReadonlyMap<string, string> {
    const named = [...this.#places].map(([key, { document, path, section }]): Named & { key: string } => ({
      key,
      file: document.source,
      path,
      section: formatPointer(section),
      alias: this.#homeOf(key)?.name ?? null,
    }))
    const reserved = (section: string): string[] => {
      const found = followPath(this.#entry.value, section.split('/').slice(1))
      return found !== null && isObject(found.value) ? Object.keys(found.value) : []
    }
    return nameAll(named, reserved, ({ file, path, section }) => keyOf(file, path, section))
  }

  // Where the document itself lists the place; of several names the one that the place would have taken, else the first.
  #homeOf(key: string): { readonly name: string; readonly path: Path } | null {
    const aliases = this.#aliases.get(key)
    if (aliases === undefined) return null
    const place = this.#places.get(key)
    const last = String(place?.path.at(-1) ?? place?.document.source.split('/').at(-1)?.replace(/\..*$/, '') ?? '')
    const sorted = aliases.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    return sorted.find(({ name }) => name === last) ?? sorted[0] ?? null
  }

  // Whole files bring their own definitions, which are named one by one where something refers to them.
  #hoisted(place: ExpectedNode, value: Json): Json {
    if (!isObject(value) || place.path.length > 0 || usesDynamicScope(place.document)) return value
    return omit(value, (key) => definitions.has(key))
  }

  #walk(shape: Shape, value: Json, at: At): Json {
    switch (shape.kind) {
      case 'either': {
        const found = shape.shapes.find((one) => hasTypeOf(one, value))
        return found === undefined ? value : this.#walk(found, value, at)
      }
      case 'list':
        return Array.isArray(value)
          ? (value as readonly Json[]).map((item, index) => this.#walk(shape.item, item, step(at, index)))
          : value
      case 'map':
        if (!isObject(value)) return value
        return typeof value.$ref === 'string' && Object.keys(value).length === 1
          ? this.#reference(shape, null, value, at)
          : this.#entries(value, at, () => shape.value)
      case 'node': {
        if (!isObject(value)) return value
        if (shape.name === 'Discriminator') return this.#discriminator(value, at)
        return typeof value.$ref === 'string'
          ? this.#reference(shape, shape.name, value, at)
          : this.#node(shape.name, value, at)
      }
      default:
        return value
    }
  }

  #node(name: string, value: JsonObject, at: At): JsonObject {
    const type = this.#grammar.nodes[name]
    if (type === undefined) return value
    const loses = at.document !== this.#entry || (!this.#keepsIdentifiers && at.path.length > 0)
    const kept = loses && name === 'Schema' ? omit(value, (key) => this.#isIdentity(key, value)) : value
    // Dialects share their words more than their grammars admit: what one does not know may still hold references.
    return this.#entries(
      kept,
      at,
      (key) => fieldOf(type, key) ?? (name === 'Schema' ? (schema2020.fields[key] ?? null) : null),
    )
  }

  #isIdentity(key: string, value: JsonObject): boolean {
    if (key !== 'id') return identity.has(key)
    return typeof value.id === 'string' && resourcesOf(this.#entry.value).document.draft === 'draft-04'
  }

  #entries(value: JsonObject, at: At, shapeOf: (key: string) => Shape | null): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([key, child]): [string, Json] => {
        const shape = typeof child === 'object' && child !== null ? shapeOf(key) : null
        return [key, shape === null ? child : this.#walk(shape, child, step(at, key))]
      }),
    )
  }

  #discriminator(value: JsonObject, at: At): JsonObject {
    const { mapping } = value
    if (!isObject(mapping)) return value
    const schema: Shape = { kind: 'node', name: 'Schema', reference: true }
    const entries = Object.entries(mapping).map(([key, ref]): [string, Json] => {
      // A plain name means the schema with that name.
      if (typeof ref !== 'string' || !/[#/]|\.(?:json|ya?ml)$/i.test(ref)) return [key, ref]
      return [key, this.#pointer(schema, 'Schema', ref, at) ?? ref]
    })
    return { ...value, mapping: Object.fromEntries(entries) }
  }

  #reference(shape: Shape, name: string | null, value: JsonObject, at: At): Json {
    const ref = value.$ref as string
    const siblings = (): JsonObject => (name === null ? value : this.#node(name, value, at))
    const target = this.#target(ref, at)
    if (target === null) return siblings()
    if (target.document === this.#entry) return { ...siblings(), $ref: formatFragment(target.path) }
    const section = name === null ? undefined : this.#sections[name]
    if (section === undefined) return this.#inline({ ...target, shape }, value, at)
    const key = this.#claim({ ...target, shape }, section)
    this.#noteAlias(key, section, value, at)
    if (this.#isHome(key, at)) {
      this.#origins.set(formatPointer(at.out ?? []), target)
      const place = { ...target, shape }
      return this.#hoisted(
        place,
        this.#walk(shape, target.value, { ...at, document: target.document, path: target.path }),
      )
    }
    return { ...siblings(), $ref: this.#nameOf(key, section) }
  }

  // The place in the bundle that a reference leads to, as a fragment; null where it stays as it is.
  #pointer(shape: Shape, name: string, ref: string, at: At): string | null {
    const target = this.#target(ref, at)
    if (target === null) return null
    if (target.document === this.#entry) return formatFragment(target.path)
    const section = this.#sections[name]
    return section === undefined ? null : this.#nameOf(this.#claim({ ...target, shape }, section), section)
  }

  #claim(place: ExpectedNode, section: Path): string {
    const key = keyOf(place.document.source, place.path, formatPointer(section))
    if (!this.#places.has(key)) this.#places.set(key, { ...place, section })
    return key
  }

  #nameOf(key: string, section: Path): string {
    return formatFragment([...section, this.#names?.get(key) ?? ''])
  }

  // An entry of a section that is nothing but a reference is the name that the author gave to the place.
  #noteAlias(key: string, section: Path, value: JsonObject, at: At): void {
    if (this.#names !== null || at.out === null || Object.keys(value).length !== 1) return
    if (at.out.length !== section.length + 1 || section.some((one, index) => one !== at.out?.[index])) return
    const aliases = this.#aliases.get(key) ?? []
    aliases.push({ name: String(at.out.at(-1)), path: at.out })
    this.#aliases.set(key, aliases)
  }

  #isHome(key: string, at: At): boolean {
    const home = this.#names === null || at.out === null ? null : this.#homeOf(key)
    return home !== null && at.out !== null && formatPointer(home.path) === formatPointer(at.out)
  }

  #inline(place: ExpectedNode, value: JsonObject, at: At): Json {
    const key = `${place.document.source}#${formatPointer(place.path)}`
    const before = at.inlined.get(key)
    // What holds itself refers to where it was written first.
    if (before !== undefined) return { ...value, $ref: formatFragment(before) }
    const out = at.out
    if (out !== null && this.#names !== null) this.#origins.set(formatPointer(out), place)
    const inlined = new Map(at.inlined).set(key, out ?? [])
    const made = this.#walk(place.shape, place.value, { document: place.document, path: place.path, out, inlined })
    const beside = Object.keys(value).filter((one) => one !== '$ref')
    if (beside.length === 0 || !isObject(made)) return made
    if (out !== null && this.#names !== null)
      for (const one of beside)
        this.#origins.set(formatPointer([...out, one]), { document: at.document, path: [...at.path, one] })
    return { ...made, ...Object.fromEntries(beside.map((one) => [one, value[one] as Json])) }
  }

  #target(ref: string, at: At): Omit<ExpectedNode, 'shape'> | null {
    if (at.document === this.#entry && this.#keepsIdentifiers && staysIn(at, ref)) return null
    const target = resolveReference(at.document, { ref, base: baseAt(at) }, this.#documents)
    return typeof target === 'object' ? target : null
  }

  #originOf(path: Path): Origin {
    for (let length = path.length; length >= 0; length--) {
      const found = this.#origins.get(formatPointer(path.slice(0, length)))
      if (found === undefined) continue
      const own = [...found.path, ...path.slice(length)]
      return { document: found.document, path: own, range: found.document.locate(own) }
    }
    return { document: this.#entry, path, range: this.#entry.locate(path) }
  }
}

/** Whether a reference means the same wherever its document is, as long as the identifiers in it are kept. */
const staysIn = ({ document, path }: Pick<At, 'document' | 'path'>, ref: string): boolean => {
  if (ref.startsWith('#')) return true
  const resources = resourcesOf(document.value)
  return resources.resolve(ref, resources.along(path).at(-1)!) !== undefined
}

/**
 * Whether something below an identifier of a document refers to another file: in the bundle that is a place of the whole
 * document, which a pointer below the identifier cannot name.
 */
const leavesEmbedded = (document: Document): boolean => {
  const { document: whole } = resourcesOf(document.value)
  return findReferences(document.value).some(
    ({ ref, path, base }) => base !== whole.base && !staysIn({ document, path }, ref),
  )
}

const insert = (value: JsonObject, [key, ...rest]: Path, leaf: Json): JsonObject => {
  const name = String(key)
  const child = value[name]
  return { ...value, [name]: rest.length === 0 ? leaf : insert(isObject(child) ? child : {}, rest, leaf) }
}

/** Documents by the paths and the `$id`s under which references may name them. */
export const indexDocuments = (documents: Iterable<Document>): Documents => {
  const index: Record<string, Document> = {}
  for (const document of documents) {
    index[document.source] = document
    if (isObject(document.value) && typeof document.value.$id === 'string')
      index[resolveUri('', document.value.$id).replace(/#$/, '')] ??= document
  }
  return index
}

/**
 * Bundles a document with those that its relative references reach, directly or through each other. Content of other files is placed in
 * the section of the document for its kind, under the name that the document gives it, else the last step of the reference or the
 * file's name; path items, which have no section that all versions know, are written where they are referred to. The result depends on
 * the files alone. References that cannot be resolved stay as they are.
 *
 * @param entry its `source` is its path in the tree, as that of all `others`
 * @returns null where the document refers to no other file, or is of a format that has no references
 */
export const bundleDocument = (entry: Document, others: readonly Document[]): Bundle | null => {
  const grammar = entry.format === null ? null : grammarOf(entry.format)
  if (entry.format === null || grammar === null || others.length === 0 || !isObject(entry.value)) return null
  return new Bundler(entry, indexDocuments([entry, ...others]), grammar, sectionsOf(entry.format)).run()
}
