import type { Document } from '../document/document.ts'
import { draftOf as namedDraft, type Draft } from '../document/draft.ts'
import { isObject } from '../kernel/json.ts'
import type { Json, JsonObject, Path } from '../kernel/json.ts'
import { followPath } from '../kernel/pointer.ts'
import type { Sharing } from '../document/sharing.ts'
import type { WalkStart } from '../document/references-in-document.ts'
import type { Dialect } from '../schema/schema-source.ts'
import { resourcesOf } from '../document/resource.ts'
import type { Resource } from '../document/resource.ts'
import { link, needsLinks } from './link.ts'
import type { Linked } from './link.ts'
import { Marks } from './marks.ts'

/** A value and where it is in its document. */
export interface PlacedValue {
  readonly value: Json
  readonly path: Path
}

/** A path as a JSON Pointer (RFC 6901). */
export const pointerOf = (path: Path): string =>
  path.reduce<string>((text, step) => `${text}/${typeof step === 'number' ? step : escaped(step)}`, '')

const escaped = (step: string): string =>
  step.includes('~') || step.includes('/') ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step

const decode = (step: string): string => {
  let text = step
  try {
    text = decodeURIComponent(step)
  } catch {
    // A stray percent sign is meant as itself.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

const draftOf = (dialect: Dialect): Draft => (dialect === 'swagger-2.0' || dialect === 'openapi-3.0' ? 'none' : dialect)

const dialectOf = (document: Document): Dialect => {
  const format = document.format
  if (format?.kind === 'swagger') return 'swagger-2.0'
  if (format?.kind === 'openapi') {
    if (format.version.startsWith('3.0')) return 'openapi-3.0'
    const draft = namedDraft(isObject(document.value) ? document.value.jsonSchemaDialect : undefined, '2020-12')
    return draft === 'none' ? '2020-12' : draft
  }
  const known = ['2020-12', '2019-09', 'draft-07', 'draft-06', 'draft-04'] as const
  return known.find((it) => it === format?.version) ?? '2020-12'
}

/** Whether a document names a dialect whose keywords are not published with JSON Schema or OpenAPI. */
const isForeign = ({ format, value }: Document): boolean => {
  if (!isObject(value)) return false
  const named = format?.kind === 'openapi' ? value.jsonSchemaDialect : value.$schema
  const isSchema = format?.kind === 'openapi' || format?.kind === 'json-schema'
  return isSchema && typeof named === 'string' && !/\b(?:json-schema|spec\.openapis)\.org\//.test(named)
}

/** Objects down to this depth are never one with others: among them are all that have a name, in "components" or elsewhere. */
const namedAt = 3

/** One of the two documents of a comparison. */
export class Side {
  readonly name: 'base' | 'head'
  readonly document: Document
  readonly dialect: Dialect
  /** Whether keywords that `dialect` does not have may restrict values. */
  readonly isForeign: boolean
  /** The value of the document, its numbers exact and its references linked: see `Linked`. */
  readonly root: Json
  /** The value with its references as they are written. */
  private readonly original: Json
  private readonly linked: Linked | null
  private readonly start: WalkStart
  private readonly resolved = new Map<string, PlacedValue | null>()

  /** @param sharing of the comparison, so that what both documents say is one object */
  constructor(name: 'base' | 'head', document: Document, sharing: Sharing | null = null) {
    this.name = name
    this.document = document
    this.dialect = dialectOf(document)
    this.isForeign = isForeign(document)
    const isApi = document.format?.kind === 'openapi' || document.format?.kind === 'swagger'
    this.start = { draft: draftOf(this.dialect), schema: !isApi && document.format?.kind !== 'mcp' }
    const written = document.exactValue()
    const isLinked =
      this.start.draft !== 'none' && (this.dialect === 'draft-04' || needsLinks(document.text)) && written !== null
    // Identifiers and anchors make the same text mean another thing at another place.
    this.original = isLinked || sharing === null ? written : sharing.shareBelow(written, namedAt)
    this.linked = isLinked ? link(this.original, this.start) : null
    this.root = this.linked?.root ?? this.original
  }

  /**
   * A place as it is written, for those who follow references themselves: the schema, and the resources around it. Null for
   * what is not written anywhere in that form.
   */
  writtenAt(
    place: PlacedValue,
  ): { readonly schema: Json; readonly root: Json; readonly scope: readonly Resource[] } | null {
    if (this.linked === null) return null
    const found = followPath(this.original, place.path)
    if (found === null) return null
    const { value } = place
    const schema = typeof value === 'object' && value !== null ? (this.linked.written.get(value) ?? value) : value
    if (schema !== found.value) return null
    return { schema, root: this.original, scope: resourcesOf(this.original, this.start).along(place.path) }
  }

  /** Finds what a reference of `root` means, where identifiers are gone from it; null where they were never there. */
  get linker(): ((reference: string) => Json | undefined) | null {
    return this.linked === null ? null : (ref) => this.find(ref)?.value
  }

  /** A value with its references and names as they are written. */
  asWritten(value: Json): Json {
    if (this.linked === null || typeof value !== 'object' || value === null) return value
    const known = this.linked.written.get(value)
    if (known !== undefined) return known
    return Array.isArray(value) ? (value as readonly Json[]).map((it) => this.asWritten(it)) : value
  }

  /** Whether it describes an API, as opposed to a schema on its own. */
  get isApi(): boolean {
    return this.start.schema !== true
  }

  /** Whether the word "discriminator" occurs at all. */
  get hasDiscriminators(): boolean {
    this.discriminators ??= this.isApi && this.document.text.includes('discriminator')
    return this.discriminators
  }

  /** The schemas that have a name, each with its place. */
  namedSchemas(): readonly (readonly [string, PlacedValue])[] {
    const path: Path = this.dialect === 'swagger-2.0' ? ['definitions'] : ['components', 'schemas']
    const named = this.at(path)?.value
    return isObject(named) ? Object.entries(named).map(([name, value]) => [name, { value, path: [...path, name] }]) : []
  }

  private discriminators: boolean | null = null
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

  /** What is at a path; null where there is nothing. */
  at(path: Path): PlacedValue | null {
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
  find(ref: string): PlacedValue | null {
    const known = this.resolved.get(ref)
    if (known !== undefined) return known
    const found = this.search(ref)
    this.resolved.set(ref, found)
    return found
  }

  private search(ref: string): PlacedValue | null {
    if (ref === '#' || ref === '') return { value: this.root, path: [] }
    if (ref.startsWith('#/')) return this.at(ref.slice(2).split('/').map(decode))
    return this.linked?.scoped.get(ref) ?? null
  }

  /** Follows `$ref` until something else is there; what cannot be resolved is answered as it is. */
  follow(place: PlacedValue): PlacedValue {
    let at = place
    for (let steps = 0; steps < 50 && isObject(at.value) && typeof at.value.$ref === 'string'; steps++) {
      const next = this.find(at.value.$ref)
      if (!next) return at
      at = next
    }
    return at
  }

  /** A member of the object at `place`, references followed; null where there is none. */
  member(place: PlacedValue, key: string): PlacedValue | null {
    return isObject(place.value) && place.value[key] !== undefined && Object.hasOwn(place.value, key)
      ? this.follow({ value: place.value[key], path: [...place.path, key] })
      : null
  }

  /** The members of the object at `place`, references followed. */
  members(place: PlacedValue | null): readonly (readonly [string, PlacedValue])[] {
    if (!place || !isObject(place.value)) return []
    return Object.entries(place.value).map(([key, value]) => [key, this.follow({ value, path: [...place.path, key] })])
  }

  /** The elements of the array at `place`, references followed. */
  elements(place: PlacedValue | null): readonly PlacedValue[] {
    if (!place || !Array.isArray(place.value)) return []
    return (place.value as readonly Json[]).map((value, i) => this.follow({ value, path: [...place.path, i] }))
  }
}

export const objectAt = (place: PlacedValue | null): JsonObject => (place && isObject(place.value) ? place.value : {})
export const textAt = (place: PlacedValue | null, key: string): string | null => {
  const value = objectAt(place)[key]
  return typeof value === 'string' ? value : null
}
