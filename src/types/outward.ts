import type { Document } from '../document/document.ts'
import { findReferences, resolveReference } from '../document/reference.ts'
import { mappedLinks, mapsOutward } from '../document/links.ts'
import { writtenReferences } from '../document/written-references.ts'
import { isObject, type JsonObject } from '../kernel/json.ts'
import { OutwardReplacer } from './replace-outward.ts'

/** What a document refers to and does not have. */
export interface OutwardRefs {
  /** The absolute references that lead out of it, without fragments, each once: a registry may know what they name. */
  readonly refs: readonly string[]
  /** How many of its other references find nothing. */
  readonly broken: number
}

/** A reference without its fragment. */
export const withoutFragment = (ref: string): string => ref.replace(/#.*$/s, '')

const absolute = /^[a-z][a-z0-9+.-]*:/i
// Everybody knows the meta-schemas.
const metaSchema = /^https?:\/\/json-schema\.org\/draft[-/]/

/** Whether a reference names something by an address or another absolute URI, as registries know types. */
export const isOutward = (ref: string): boolean => absolute.test(ref) && !metaSchema.test(ref)

// Most documents refer to themselves alone: then the places of their references need not be known.
const staysInside = (document: Document, value: JsonObject): boolean =>
  !/\$(?:dynamicRef|id|self)\b/.test(document.text) &&
  !mapsOutward(document.text) &&
  [...writtenReferences(value)].every(
    (ref) => ref.startsWith('#') && typeof resolveReference(document, { ref, base: '' }) === 'object',
  )

/**
 * Where nothing of a document changes what its references are relative to: those that lead out, without the places of all others.
 * Null where one of the others finds nothing.
 */
function outwardOnly(document: Document, value: JsonObject): OutwardRefs | null {
  if (/\$(?:dynamicRef|id|self)\b/.test(document.text)) return null
  for (const ref of writtenReferences(value)) {
    const resolves = ref.startsWith('#') && typeof resolveReference(document, { ref, base: '' }) === 'object'
    if (!resolves && !isOutward(ref)) return null
  }
  const refs = new Set<string>()
  const collect = (target: string): null => {
    if (isOutward(target)) refs.add(withoutFragment(target))
    return null
  }
  new OutwardReplacer(collect).replace(value, isSchema(value) ? 'schema' : 'node')
  return { refs: [...refs], broken: 0 }
}

const isSchema = (value: JsonObject): boolean => typeof value.$schema === 'string' && value.openapi === undefined

/** The references of a document that it does not resolve itself. */
export function outwardRefs(document: Document): OutwardRefs {
  const { value, format } = document
  if (format?.kind === 'mcp' || !isObject(value) || staysInside(document, value)) return { refs: [], broken: 0 }
  const simple = outwardOnly(document, value)
  if (simple !== null) return simple
  const refs = new Set<string>()
  const asked = new Set<string>()
  let broken = 0
  const mapped = mapsOutward(document.text) ? mappedLinks(value).filter(({ ref }) => isOutward(ref)) : []
  for (const { ref, base } of [...findReferences(value), ...mapped]) {
    const key = `${base} ${ref}`
    if (asked.has(key)) continue
    asked.add(key)
    if (metaSchema.test(ref) || typeof resolveReference(document, { ref, base }) === 'object') continue
    if (isOutward(ref)) refs.add(withoutFragment(ref))
    else broken++
  }
  return { refs: [...refs], broken }
}
