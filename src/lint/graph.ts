import type { Document } from '../document/document.ts'
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { followPath, getPath, parseFragment } from '../kernel/pointer.ts'
import { findReferences, resolveReference, type Documents } from '../document/reference.ts'
import type { Follow, MatchedNode } from './jsonpath/walk.ts'
import { writtenReferences } from '../document/written-references.ts'

/** A place of a document, and what could not be reached of the way that was asked for. */
export interface LocatedNode {
  readonly document: Document
  /** The nearest node that exists. */
  readonly path: Path
  /** The whole way, where it does not exist; otherwise `path`. */
  readonly wanted: Path
  readonly value: Json
}

/** What refers to a node by a `$ref`. */
export interface Referrer extends MatchedNode {
  /** The path of what is referred to. */
  readonly target: Path
}

/** How a path came about. */
export interface Way {
  readonly resolved: boolean
  readonly referrer: Referrer | null
  readonly jumped: boolean
}

const referenceOf = (value: Json): string | null =>
  isObject(value) && typeof value.$ref === 'string' ? value.$ref : null

const keyOf = (reference: string, base: string): string => (base === '' ? reference : `${base} ${reference}`)

const childOf = (value: Json, key: string | number): Json | undefined => {
  if (Array.isArray(value)) return /^\d+$/.test(String(key)) ? (value[Number(key)] as Json | undefined) : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** The documents that references of a document and of the others lead to: these may refer back to it. */
export const withItself = (document: Document, others: Documents): Documents =>
  Object.keys(others).length === 0 ? others : { [document.source]: document, ...others }

/** A document, the other available documents, and the references between them. */
export class Graph {
  private readonly documents: Documents
  private readonly known = new Map<Document, Map<string, MatchedNode | null>>()
  private readonly derefs = new Map<Document, (value: Json) => Json>()

  /** Whether no other document can be referred to. */
  private readonly isAlone: boolean

  constructor(documents: Documents) {
    this.documents = documents
    this.isAlone = Object.keys(documents).length === 0
  }

  /** The final target of a reference; null if it cannot be resolved or is circular. */
  readonly follow: Follow = (reference, from, holder) => {
    const base = this.baseOf(holder, from)
    const target = this.knownIn(from).get(keyOf(reference, base))
    return target === undefined ? this.find(reference, from, base) : target
  }

  private readonly bases = new Map<Document, ReadonlyMap<object, string> | null>()

  /** The base of every reference of a document (`$id`, `$self`), by the object that holds it; null where none has a base. */
  private basesIn(document: Document): ReadonlyMap<object, string> | null {
    let bases = this.bases.get(document)
    if (bases !== undefined) return bases
    const based = /[$](?:id|self)\b/.test(document.text)
      ? findReferences(document.value).filter((it) => it.base !== '')
      : []
    bases =
      based.length === 0
        ? null
        : new Map(based.map(({ path, base }) => [getPath(document.value, path) as object, base]))
    this.bases.set(document, bases)
    return bases
  }

  private baseOf(holder: Json, document: Document): string {
    return this.basesIn(document)?.get(holder as object) ?? ''
  }

  private knownIn(document: Document): Map<string, MatchedNode | null> {
    let known = this.known.get(document)
    if (known === undefined) this.known.set(document, (known = new Map<string, MatchedNode | null>()))
    return known
  }

  /** Everything in a document that references may lead to; null where others may refer to it too. */
  targetsIn(document: Document): ReadonlySet<Json> | null {
    const { value } = document
    if (!this.isAlone || typeof value !== 'object' || value === null) return null
    // The same text leads elsewhere from another base.
    if (this.basesIn(document) !== null) return null
    const found = new Set<Json>()
    for (const reference of writtenReferences(value)) {
      const target = this.follow(reference, document, null)
      if (target !== null) found.add(target.value)
    }
    return found
  }

  /** Follows references of references to the end, and remembers that end for all on the way. */
  private find(reference: string, from: Document, first: string): MatchedNode | null {
    const way: (readonly [Map<string, MatchedNode | null>, string])[] = []
    let [document, next, base]: [Document, string | null, string] = [from, reference, first]
    let end: MatchedNode | null = null
    while (next !== null) {
      const known = this.knownIn(document)
      const key = keyOf(next, base)
      const seen = known.get(key)
      if (seen !== undefined) {
        end = seen
        break
      }
      // Who comes by again goes in circles.
      known.set(key, null)
      way.push([known, key])
      end = this.step(next, document, base)
      if (end === null) break
      next = referenceOf(end.value)
      document = end.document
      base = next === null ? '' : this.baseOf(end.value, document)
    }
    for (const [known, ref] of way) known.set(ref, end)
    return end
  }

  private step(reference: string, from: Document, base: string): MatchedNode | null {
    if (base === '' && reference === '#') return { document: from, path: [], value: from.value }
    if (base === '' && reference.startsWith('#/')) {
      const steps = parseFragment(reference.slice(1))
      const found = steps === null ? null : followPath(from.value, steps)
      if (found !== null) return { document: from, path: found.path, value: found.value }
    }
    const found = resolveReference(from, { ref: reference, base }, this.documents)
    return typeof found === 'string' ? null : found
  }

  /** Which document holds an object with a reference, where there are several; null for one that none holds. */
  private readonly owners = new Map<object, Document>()
  private readonly owned = new Set<Document>()

  private ownerOf(value: object, from: Document): Document {
    const known = this.owners.get(value)
    if (known !== undefined) return known
    this.own(from)
    for (const name in this.documents) {
      const found = this.owners.get(value)
      if (found !== undefined) return found
      const document = this.documents[name]
      if (document !== undefined) this.own(document)
    }
    return this.owners.get(value) ?? from
  }

  private own(document: Document): void {
    if (this.owned.has(document)) return
    this.owned.add(document)
    for (const holder of referenceHolders(document.value)) this.owners.set(holder, document)
  }

  /** A value itself, or the target of its reference. */
  deref(value: Json, from: Document): Json {
    const reference = referenceOf(value)
    if (reference === null) return value
    const document = this.isAlone ? from : this.ownerOf(value as object, from)
    return this.follow(reference, document, value)?.value ?? value
  }

  /** The same for values of one document. */
  derefIn(document: Document): (value: Json) => Json {
    let deref = this.derefs.get(document)
    if (deref === undefined) this.derefs.set(document, (deref = (value) => this.deref(value, document)))
    return deref
  }

  /**
   * The nearest place to a path, through references where `resolved`. `referrer` is what refers to the beginning of the
   * path: what is found there and is no more than the reference itself is at the referrer. `jumped` says that the way
   * to that beginning led through references already.
   */
  place(document: Document, path: Path, { resolved, referrer, jumped }: Way): LocatedNode {
    if (referrer !== null && resolved) {
      const tail = path.slice(referrer.target.length)
      return this.walk({ document: referrer.document, path: referrer.path, value: referrer.value }, tail, true, jumped)
    }
    return this.walk({ document, path: [], value: document.value }, path, resolved, jumped)
  }

  // Follow the reference at the first step that its holder does not have itself; siblings of "$ref" are in the holder.
  private walk(start: MatchedNode, path: Path, resolved: boolean, behind: boolean): LocatedNode {
    let at = start
    let jumped = behind
    for (const [index, key] of path.entries()) {
      const reference = resolved ? referenceOf(at.value) : null
      let child = childOf(at.value, key)
      if (child === undefined && reference !== null) {
        const target = this.follow(reference, at.document, at.value)
        const inner = target === null ? undefined : childOf(target.value, key)
        if (target === null || inner === undefined) return this.rest(at, path.slice(index), jumped)
        at = target
        child = inner
        jumped = true
      }
      if (child === undefined) return { ...at, wanted: [...at.path, ...path.slice(index)] }
      at = { document: at.document, path: [...at.path, Array.isArray(at.value) ? Number(key) : key], value: child }
    }
    return resolved ? this.rest(at, [], jumped) : { ...at, wanted: at.path }
  }

  /** The target of the reference where a path ends, with the remaining steps that cannot be resolved. */
  private rest(at: MatchedNode, steps: Path, jumped: boolean): LocatedNode {
    const reference = referenceOf(at.value)
    const target = reference === null ? null : this.follow(reference, at.document, at.value)
    const isPure = isObject(at.value) && Object.keys(at.value).length === 1
    if (target === null || (!isPure && !jumped)) return { ...at, wanted: [...at.path, ...steps] }
    return { ...target, wanted: jumped ? [...target.path, ...steps] : target.path }
  }
}

function* referenceHolders(value: Json): Generator<object> {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) yield* referenceHolders(item)
  else if (isObject(value)) {
    if (typeof value.$ref === 'string') yield value
    for (const key of Object.keys(value)) yield* referenceHolders(value[key] as Json)
  }
}
