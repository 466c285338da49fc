import type { Document } from '../document/document.ts'
import { isObject, type Json, type Path } from '../document/json.ts'
import { followPath, parseFragment } from '../document/pointer.ts'
import { resolveReference, type Documents } from '../document/reference.ts'
import type { Follow, Target } from './jsonpath/walk.ts'
import { writtenReferences } from './written-references.ts'

/** A place of a document, and what could not be reached of the way that was asked for. */
export interface Place {
  readonly document: Document
  /** The nearest node that exists. */
  readonly path: Path
  /** The whole way, where it does not exist; otherwise `path`. */
  readonly wanted: Path
  readonly value: Json
}

const maxHops = 50

const referenceOf = (value: Json): string | null =>
  isObject(value) && typeof value.$ref === 'string' ? value.$ref : null

const childOf = (value: Json, key: string | number): Json | undefined => {
  if (Array.isArray(value)) return /^\d+$/.test(String(key)) ? (value[Number(key)] as Json | undefined) : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** A document, the others at hand, and the references between them. */
export class Graph {
  private readonly documents: Documents
  private readonly known = new Map<Document, Map<string, Target | null>>()

  constructor(documents: Documents) {
    this.documents = documents
  }

  /** Where a reference leads in the end; null where it leads nowhere or in circles. */
  readonly follow: Follow = (reference, from) => {
    let known = this.known.get(from)
    if (known === undefined) this.known.set(from, (known = new Map<string, Target | null>()))
    let target = known.get(reference)
    if (target === undefined) {
      target = this.find(reference, from)
      known.set(reference, target)
    }
    return target
  }

  /** Everything in a document that references may lead to; null where others may refer to it too. */
  targetsIn(document: Document): ReadonlySet<Json> | null {
    const { value } = document
    if (Object.keys(this.documents).length > 0 || typeof value !== 'object' || value === null) return null
    const found = new Set<Json>()
    for (const reference of writtenReferences(value)) {
      const target = this.follow(reference, document)
      if (target !== null) found.add(target.value)
    }
    return found
  }

  private find(reference: string, from: Document): Target | null {
    let at = this.step(reference, from)
    for (let hops = 0; at !== null; hops++) {
      const next = referenceOf(at.value)
      if (next === null) return at
      if (hops === maxHops) return null
      at = this.step(next, at.document)
    }
    return at
  }

  private step(reference: string, from: Document): Target | null {
    if (reference === '#') return { document: from, path: [], value: from.value }
    if (reference.startsWith('#/')) {
      const steps = parseFragment(reference.slice(1))
      const found = steps === null ? null : followPath(from.value, steps)
      return found === null ? null : { document: from, path: found.path, value: found.value }
    }
    const found = resolveReference(from, { ref: reference, base: '' }, this.documents)
    return typeof found === 'string' ? null : found
  }

  /** What stands for a value: itself, or what its reference leads to. */
  deref(value: Json, from: Document): Json {
    const reference = referenceOf(value)
    return reference === null ? value : (this.follow(reference, from)?.value ?? value)
  }

  /** The nearest place to a path, through references where `resolved`. */
  place(document: Document, path: Path, resolved: boolean): Place {
    let at: Target = { document, path: [], value: document.value }
    for (const [index, key] of path.entries()) {
      const child = childOf(at.value, key)
      if (child === undefined) return { ...at, wanted: [...at.path, ...path.slice(index)] }
      at = { document: at.document, path: [...at.path, Array.isArray(at.value) ? Number(key) : key], value: child }
      const reference = resolved ? referenceOf(child) : null
      if (reference !== null) at = this.follow(reference, at.document) ?? at
    }
    return { ...at, wanted: at.path }
  }
}
