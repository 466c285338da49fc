/** Makes one self-contained document of several files that refer to each other. */
import type { Document } from '../../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { followPath, formatFragment, formatPointer } from '../../kernel/pointer.ts'
import type { Range } from '../../document/position.ts'
import { baseAt, type Documents, resolveReference } from '../../document/reference.ts'
import { resourcesOf } from '../../document/resource.ts'
import { any, type Grammar, type Shape } from '../../document/validate/grammar.ts'
import { schema2020 } from '../../document/validate/schema-nodes.ts'
import { fieldOf, hasTypeOf, grammarOf } from '../../document/validate/structure.ts'
import { SvcError } from '../../errors.ts'
import { Aliases } from './aliases.ts'
import { type At, type ExpectedNode, keyOf, step } from './at.ts'
import { embeddedFiles, leavesEmbedded, staysIn, uriOfEntry, usesDynamicScope, usesRecursion } from './embedded.ts'
import { indexDocuments } from './index-documents.ts'
import { type NamedOperation, withOperations } from './links.ts'
import { type Named, nameAll } from './names.ts'
import { insert, omit } from './objects.ts'
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

// What names a schema in its own file; in the bundle it would change what references beside it mean.
const identity: ReadonlySet<string> = new Set(['$id', '$anchor', '$schema'])
const mostCopied = 2_000_000
const tooMuchData =
  'references in extensions and examples repeat each other so often that the document would be too large; write what they lead to once'
const wholeSchema: Shape = { kind: 'node', name: 'Schema', reference: true }
const definitions: ReadonlySet<string> = new Set(['$defs', 'definitions'])

class Bundler {
  readonly #entry: Document
  readonly #documents: Documents
  readonly #grammar: Grammar
  readonly #sections: Sections
  /** Places of other files that get a name, by their key. */
  readonly #places = new Map<string, ExpectedNode & { readonly section: Path }>()
  readonly #aliases = new Aliases()
  /** Whether the schemas of the entry keep their identifiers. */
  readonly #keepsIdentifiers: boolean
  /** The files that become schema resources of their own, with their URIs. */
  readonly #embedded: ReadonlyMap<Document, string>
  readonly #entryUri: string
  /** Whether a resource of the bundle refers to the document that holds it, which needs a URI then. */
  #namesEntry = false
  readonly #origins = new Map<string, { readonly document: Document; readonly path: Path }>()
  readonly #links: NamedOperation[] = []
  #names: ReadonlyMap<string, string> | null = null
  /** How many parts of data were looked at: what references repeat there is written each time. */
  #copied = 0

  constructor(entry: Document, others: readonly Document[], grammar: Grammar, sections: Sections) {
    const documents = indexDocuments([entry, ...others])
    this.#embedded = embeddedFiles(entry, others, documents)
    this.#entryUri = uriOfEntry(entry, others)
    this.#entry = entry
    this.#documents = documents
    this.#grammar = grammar
    this.#sections = sections
    this.#keepsIdentifiers = usesDynamicScope(entry) || !leavesEmbedded(entry)
  }

  run(): Bundle {
    const root: Shape = { kind: 'node', name: this.#grammar.root, reference: false }
    const start: At = { document: this.#entry, path: [], out: [], inlined: new Map(), embedded: false }
    const entry = this.#entry.value
    // First everything that is reached gets a name, then it is written: a name depends on all others.
    this.#walk(root, entry, start)
    for (const place of this.#places.values()) this.#walk(place.shape, place.value, this.#startAt(place, null))
    this.#names = this.#nameAll()
    this.#origins.set('', { document: this.#entry, path: [] })
    let value = this.#walk(root, entry, start) as JsonObject
    const placed = [...this.#places].flatMap(([key, place]) => {
      const name = this.#names?.get(key)
      return name === undefined || this.#homeOf(key) !== null ? [] : [{ name, place }]
    })
    for (const { name, place } of placed.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const out = [...place.section, name]
      this.#origins.set(formatPointer(out), place)
      value = insert(value, out, this.#hoisted(place, this.#walk(place.shape, place.value, this.#startAt(place, out))))
    }
    value = withOperations(value, this.#links, this.#entry, this.#origins)
    if (this.#namesEntry) value = { $id: this.#entryUri, ...omit(value, (key) => key === '$id') }
    return { value, originOf: (path) => this.#originOf(path) }
  }

  #startAt({ document, path, shape }: ExpectedNode, out: Path | null): At {
    return { document, path, out, inlined: new Map(), embedded: this.#isEmbedded({ document, path, shape }) }
  }

  // Whole files only: what is not a schema in such a file is written where other files are, without an identifier.
  #isEmbedded({ document, path, shape }: Pick<ExpectedNode, 'document' | 'path' | 'shape'>): boolean {
    return path.length === 0 && shape.kind === 'node' && shape.name === 'Schema' && this.#embedded.has(document)
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

  #homeOf(key: string): { readonly name: string; readonly path: Path } | null {
    return this.#aliases.homeOf(key, this.#places.get(key))
  }

  // Whole files bring their own definitions, which are named one by one where something refers to them.
  #hoisted(place: ExpectedNode, value: Json): Json {
    if (!isObject(value) || place.path.length > 0 || this.#isEmbedded(place)) return value
    return omit(value, (key) => definitions.has(key))
  }

  #walk(shape: Shape, value: Json, at: At): Json {
    if (typeof value !== 'object' || value === null) return value
    const found = shape.kind === 'either' ? (shape.shapes.find((one) => hasTypeOf(one, value)) ?? shape) : shape
    const isReference = isObject(value) && typeof value.$ref === 'string'
    if (found.kind === 'node' && isObject(value)) {
      if (at.document !== this.#entry) this.#noteName(found.name, at)
      if (found.name === 'Discriminator') return this.#discriminator(value, at)
      return isReference ? this.#reference(found, found.name, value, at) : this.#node(found.name, value, at)
    }
    // No version allows a reference in the place of a text, a list or a map, or in data. Authors write them there.
    if (isReference) return this.#isOwn(found, value, at) ? value : this.#reference(shape, null, value, at)
    if (found.kind === 'list' && Array.isArray(value))
      return (value as readonly Json[]).map((item, index) => this.#walk(found.item, item, step(at, index)))
    if (found.kind === 'map' && isObject(value)) return this.#entries(value, at, () => found.value)
    return this.#data(value, at)
  }

  /** Whether a reference in data means itself: what it says of its own document stays as it is written. */
  #isOwn(shape: Shape, { $ref }: JsonObject, { document }: At): boolean {
    return shape.kind === 'any' && document === this.#entry && String($ref).startsWith('#')
  }

  // What has no type has no place that others refer to by a name: it is looked at when everything else has one.
  #data(value: Json, at: At): Json {
    if (this.#names === null) return value
    if (++this.#copied > mostCopied) throw new SvcError('document-invalid', { reason: tooMuchData })
    if (Array.isArray(value))
      return (value as readonly Json[]).map((item, index) => this.#walk(any, item, step(at, index)))
    return isObject(value) ? this.#entries(value, at, () => any) : value
  }

  #node(name: string, value: JsonObject, at: At): JsonObject {
    const type = this.#grammar.nodes[name]
    if (type === undefined) return value
    const loses = at.document === this.#entry ? !this.#keepsIdentifiers && at.path.length > 0 : !at.embedded
    const schema = name === 'Schema' ? this.#withDynamicTarget(value, at) : value
    if (name === 'Link') this.#noteLink(value, at)
    const kept = loses && name === 'Schema' ? omit(schema, (key) => this.#isIdentity(key, value)) : schema
    // Dialects share their words more than their grammars admit: what one does not know may still hold references.
    const made = this.#entries(
      kept,
      at,
      (key) => fieldOf(type, key) ?? (name === 'Schema' ? (schema2020.fields[key] ?? null) : null),
    )
    return name === 'Example' ? this.#withValue(made, at) : made
  }

  /** An example whose value is in another file that was read: the value is written in its place, and nothing in it is a reference. */
  #withValue(example: JsonObject, at: At): JsonObject {
    const { externalValue } = example
    if (typeof externalValue !== 'string' || Object.hasOwn(example, 'value')) return example
    const target = this.#target(externalValue, at)
    if (target === null || target.document === this.#entry) return example
    if (at.out !== null && this.#names !== null) this.#origins.set(formatPointer([...at.out, 'value']), target)
    return Object.fromEntries(
      Object.entries(example).map(([key, it]) => (key === 'externalValue' ? ['value', target.value] : [key, it])),
    )
  }

  // Where the operation of a link is in the bundle is known when everything is written.
  #noteLink({ operationRef }: JsonObject, at: At): void {
    if (this.#names === null || at.out === null || typeof operationRef !== 'string') return
    const target = this.#target(operationRef, at)
    if (target !== null) this.#links.push({ out: [...at.out, 'operationRef'], target })
  }

  // A "$dynamicRef" into another file, by the URI that this file has in the bundle; a new "$id" for a file that is embedded.
  #withDynamicTarget(value: JsonObject, at: At): JsonObject {
    const id = at.embedded && at.path.length === 0 ? this.#embedded.get(at.document) : undefined
    const named = id === undefined ? value : { $id: id, ...omit(value, (key) => key === '$id') }
    if (!at.embedded && typeof value.$recursiveRef === 'string' && at.document !== this.#entry)
      return this.#withoutRecursion(named, value.$recursiveRef, at)
    if (typeof value.$dynamicRef !== 'string') return named
    const target = this.#target(value.$dynamicRef, at)
    if (target === null) return named
    const address = this.#addressOf(target, value.$dynamicRef, at) ?? this.#anchorOf(target, value.$dynamicRef, at)
    return address === null ? named : { ...named, $dynamicRef: address }
  }

  // Where no other resource of the bundle has a dynamic anchor of that name it is one of the bundle itself.
  #anchorOf(target: Omit<ExpectedNode, 'shape'>, ref: string, at: At): string | null {
    const { document, value } = target
    if (document === this.#entry && at.document === this.#entry) return null
    const fragment = ref.replace(/^[^#]*/, '')
    const isDynamic = isObject(value) && `#${String(value.$dynamicAnchor)}` === fragment
    const pointer = this.#pointer(wholeSchema, 'Schema', ref, at)
    return isDynamic ? fragment : pointer
  }

  /** In draft 2019-09 a "$recursiveRef" refers to its file, unless that file is a resource of its own. */
  #withoutRecursion(value: JsonObject, ref: string, at: At): JsonObject {
    if (!usesRecursion(this.#entry) && !usesRecursion(at.document)) return value
    const pointer = this.#pointer(wholeSchema, 'Schema', ref, at)
    if (pointer === null) return value
    const rest = omit(value, (key) => key === '$recursiveRef')
    if (rest.$ref === undefined) return { ...rest, $ref: pointer }
    return {
      ...rest,
      allOf: [...(Array.isArray(rest.allOf) ? (rest.allOf as readonly Json[]) : []), { $ref: pointer }],
    }
  }

  // The reference in the bundle to a place of a file that is embedded, or from one; null where that takes no URI.
  #addressOf(target: Omit<ExpectedNode, 'shape'>, ref: string, at: At): string | null {
    const fragment = formatFragment(target.path)
    const uri = this.#embedded.get(target.document)
    if (uri !== undefined) {
      const section = this.#sections.Schema
      if (section === undefined) return null
      const { document } = target
      this.#claim({ document, path: [], value: document.value, shape: wholeSchema }, section)
      // An anchor stays an anchor: a dynamic reference to a pointer would not be dynamic.
      const written = ref.replace(/^[^#]*/, '')
      const isAnchor = target.path.length > 0 && written.length > 1 && !/^#(?:\/|%2f)/i.test(written)
      return `${uri}${isAnchor ? written : fragment === '#' ? '' : fragment}`
    }
    if (!at.embedded || target.document !== this.#entry || this.#entry.format?.kind !== 'json-schema') return null
    this.#namesEntry = true
    return `${this.#entryUri}${fragment}`
  }

  #isIdentity(key: string, value: JsonObject): boolean {
    if (key !== 'id') return identity.has(key)
    return typeof value.id === 'string' && resourcesOf(this.#entry.value).document.draft === 'draft-04'
  }

  #entries(value: JsonObject, at: At, shapeOf: (key: string) => Shape | null): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([key, child]): [string, Json] => {
        if (typeof child !== 'object' || child === null) return [key, child]
        return [key, this.#walk(shapeOf(key) ?? any, child, step(at, key))]
      }),
    )
  }

  #discriminator(value: JsonObject, at: At): JsonObject {
    const { mapping } = value
    if (!isObject(mapping)) return value
    const entries = Object.entries(mapping).map(([key, ref]): [string, Json] => {
      // A plain name means the schema with that name.
      if (typeof ref !== 'string' || !/[#/]|\.(?:json|ya?ml)$/i.test(ref)) return [key, ref]
      return [key, this.#pointer(wholeSchema, 'Schema', ref, at) ?? ref]
    })
    return { ...value, mapping: Object.fromEntries(entries) }
  }

  #reference(shape: Shape, name: string | null, value: JsonObject, at: At): Json {
    const ref = value.$ref as string
    if (name === null && shape.kind === 'any' && this.#names === null) return value
    const siblings = (): JsonObject => (name === null ? value : this.#node(name, value, at))
    const target = this.#target(ref, at)
    if (target === null) return siblings()
    const section = name === null ? undefined : this.#sections[name]
    const address = name === 'Schema' ? this.#addressOf(target, ref, at) : null
    if (address !== null && (target.path.length > 0 || !this.#embedded.has(target.document)))
      return { ...siblings(), $ref: address }
    if (target.document === this.#entry) return { ...siblings(), $ref: formatFragment(target.path) }
    if (section === undefined) return this.#inline({ ...target, shape }, value, at)
    const key = this.#claim({ ...target, shape }, section)
    this.#noteAlias(key, section, value, at)
    if (this.#isHome(key, at)) {
      this.#origins.set(formatPointer(at.out ?? []), target)
      const place = { ...target, shape }
      return this.#hoisted(
        place,
        this.#walk(shape, target.value, {
          ...at,
          document: target.document,
          path: target.path,
          embedded: this.#isEmbedded(place),
        }),
      )
    }
    return { ...siblings(), $ref: (at.embedded ? address : null) ?? this.#nameOf(key, section) }
  }

  // The place in the bundle that a reference leads to, as a fragment; null where it stays as it is.
  #pointer(shape: Shape, name: string, ref: string, at: At): string | null {
    const target = this.#target(ref, at)
    if (target === null) return null
    const address = this.#addressOf(target, ref, at)
    if (address !== null) return address
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
    if (Object.keys(value).length === 1 && this.#names === null) this.#aliases.add(key, section, at.out)
  }

  // A section may be a file itself: its entries have the names that they have there.
  #noteName(name: string, at: At): void {
    const section = this.#sections[name]
    if (section === undefined || this.#names !== null) return
    this.#aliases.add(keyOf(at.document.source, at.path, formatPointer(section)), section, at.out)
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
    const from = { document: place.document, path: place.path, out, inlined, embedded: false }
    const made = this.#walk(place.shape, place.value, from)
    const beside = Object.keys(value).filter((one) => one !== '$ref')
    if (beside.length === 0 || !isObject(made)) return made
    if (out !== null && this.#names !== null)
      for (const one of beside)
        this.#origins.set(formatPointer([...out, one]), { document: at.document, path: [...at.path, one] })
    return { ...made, ...Object.fromEntries(beside.map((one) => [one, value[one] as Json])) }
  }

  #target(ref: string, at: At): Omit<ExpectedNode, 'shape'> | null {
    if ((at.embedded || (at.document === this.#entry && this.#keepsIdentifiers)) && staysIn(at, ref)) return null
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

/**
 * Bundles a document with those that its relative references reach, directly or through each other. Content of other files is placed in
 * the section of the document for its kind, under the name that the document gives it, else the last step of the reference or the
 * file's name; path items, which have no section that all versions know, are written where they are referred to. The result depends on
 * the files alone. Files with dynamic anchors become schema resources of their own (see `embeddedFiles`). References that cannot be resolved
 * stay as they are.
 *
 * @param entry its `source` is its path in the tree, as that of all `others`
 * @returns null where the document refers to no other file, or is of a format that has no references
 */
export const bundleDocument = (entry: Document, others: readonly Document[]): Bundle | null => {
  const grammar = entry.format === null ? null : grammarOf(entry.format)
  if (entry.format === null || grammar === null || others.length === 0 || !isObject(entry.value)) return null
  return new Bundler(entry, others, grammar, sectionsOf(entry.format)).run()
}
