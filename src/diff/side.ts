import type { Document } from '../document/document.ts'
import { isObject } from '../document/json.ts'
import type { Json, JsonObject, Path } from '../document/json.ts'
import type { Dialect } from '../schema/normalise.ts'
import { Marks } from './marks.ts'

/** A value and where it stands in its document. */
export interface Place {
  readonly value: Json
  readonly path: Path
}

/** A path as a JSON Pointer (RFC 6901). */
export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const decode = (step: string): string => {
  let text = step
  try {
    text = decodeURIComponent(step)
  } catch {
    // A stray percent sign is meant as itself.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

const dialectOf = (document: Document): Dialect => {
  const format = document.format
  if (format?.kind === 'swagger') return 'swagger-2.0'
  if (format?.kind === 'openapi') return format.version.startsWith('3.0') ? 'openapi-3.0' : '2020-12'
  const known = ['2020-12', '2019-09', 'draft-07', 'draft-06', 'draft-04'] as const
  return known.find((it) => it === format?.version) ?? '2020-12'
}

/** One of the two documents of a comparison. */
export class Side {
  readonly name: 'base' | 'head'
  readonly document: Document
  readonly dialect: Dialect
  readonly root: Json
  private readonly resolved = new Map<string, Place | null>()
  private anchors: Map<string, Place> | null = null

  constructor(name: 'base' | 'head', document: Document) {
    this.name = name
    this.document = document
    this.dialect = dialectOf(document)
    this.root = document.value
  }

  private unsent: boolean | null = null
  private marks: Marks | null = null

  /** Whether any property at all is marked as readOnly or writeOnly. */
  get hasUnsent(): boolean {
    this.unsent ??= /\b(?:readOnly|writeOnly)\b/.test(this.document.text)
    return this.unsent
  }

  /** Whether null is announced by `nullable`, as before OpenAPI 3.1. */
  get hasNullable(): boolean {
    return this.dialect === 'openapi-3.0' || this.dialect === 'swagger-2.0'
  }

  /** Whether a schema, or what it refers to, marks a property as readOnly or writeOnly: then the direction counts. */
  isDirected(schema: Json): boolean {
    if (!this.hasUnsent) return false
    this.marks ??= new Marks((ref) => this.find(ref)?.value)
    return this.marks.isMarked(schema)
  }

  /** What stands at a path; null where nothing does. */
  at(path: Path): Place | null {
    let value: Json | undefined = this.root
    for (const step of path) {
      if (Array.isArray(value)) value = (value as readonly Json[])[Number(step)]
      else if (isObject(value) && Object.hasOwn(value, step)) value = value[step]
      else return null
      if (value === undefined) return null
    }
    return { value, path }
  }

  /** The place that a `$ref` within this document names; null for other documents and for nothing. */
  find(ref: string): Place | null {
    const known = this.resolved.get(ref)
    if (known !== undefined) return known
    const found = this.search(ref)
    this.resolved.set(ref, found)
    return found
  }

  private search(ref: string): Place | null {
    if (ref === '#' || ref === '') return { value: this.root, path: [] }
    if (ref.startsWith('#/')) {
      const steps = ref.slice(2).split('/').map(decode)
      const exact = this.at(steps)
      if (!exact) return null
      return exact
    }
    this.anchors ??= this.collectAnchors()
    return this.anchors.get(ref) ?? null
  }

  private collectAnchors(): Map<string, Place> {
    const anchors = new Map<string, Place>()
    const visit = (value: Json, path: Path): void => {
      if (Array.isArray(value)) for (const [i, it] of (value as readonly Json[]).entries()) visit(it, [...path, i])
      if (!isObject(value)) return
      for (const word of ['$anchor', '$dynamicAnchor'] as const) {
        if (typeof value[word] === 'string') anchors.set(`#${value[word]}`, { value, path })
      }
      for (const word of ['$id', 'id'] as const) {
        if (typeof value[word] === 'string' && path.length > 0) anchors.set(value[word], { value, path })
      }
      for (const [key, it] of Object.entries(value)) visit(it, [...path, key])
    }
    visit(this.root, [])
    return anchors
  }

  /** Follows `$ref` until something else stands there; what leads nowhere is answered as it is. */
  follow(place: Place): Place {
    let at = place
    for (let steps = 0; steps < 50 && isObject(at.value) && typeof at.value.$ref === 'string'; steps++) {
      const next = this.find(at.value.$ref)
      if (!next) return at
      at = next
    }
    return at
  }

  /** A member of the object at `place`, references followed; null where there is none. */
  member(place: Place, key: string): Place | null {
    return isObject(place.value) && place.value[key] !== undefined && Object.hasOwn(place.value, key)
      ? this.follow({ value: place.value[key], path: [...place.path, key] })
      : null
  }

  /** The members of the object at `place`, references followed. */
  members(place: Place | null): readonly (readonly [string, Place])[] {
    if (!place || !isObject(place.value)) return []
    return Object.entries(place.value).map(([key, value]) => [key, this.follow({ value, path: [...place.path, key] })])
  }

  /** The elements of the array at `place`, references followed. */
  elements(place: Place | null): readonly Place[] {
    if (!place || !Array.isArray(place.value)) return []
    return (place.value as readonly Json[]).map((value, i) => this.follow({ value, path: [...place.path, i] }))
  }
}

export const objectAt = (place: Place | null): JsonObject => (place && isObject(place.value) ? place.value : {})
export const textAt = (place: Place | null, key: string): string | null => {
  const value = objectAt(place)[key]
  return typeof value === 'string' ? value : null
}
