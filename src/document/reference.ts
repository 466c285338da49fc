import type { Document, Problem } from './document.ts'
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { findReferences, type Reference, resolveUri } from './references-in-document.ts'
import { namesIn } from './reference-names.ts'
import { resourcesOf, type Resource } from './resource.ts'
import { parseFragment } from '../kernel/pointer.ts'
import { writtenReferences } from './written-references.ts'
import { splitFragment } from '../kernel/text.ts'

export { findReferences, type Reference, resolveUri } from './references-in-document.ts'

/** The documents that references may lead to, by the URI or file name under which each is known. */
export type Documents = Readonly<Record<string, Document>>

/** Where a reference leads. */
export interface Target {
  readonly document: Document
  readonly path: Path
  readonly value: Json
}

/** Why a reference cannot be resolved. */
export type Unresolved = 'document-missing' | 'place-missing' | 'cycle'

/** The documents around a reference, and how many references of the way to its target were followed. */
interface Around {
  readonly documents: Documents
  readonly depth: number
}

const findIn = (document: Document, resource: Resource, fragment: string, around: Around): Target | null => {
  const found = resourcesOf(document.value).within(fragment, resource)
  if (found !== undefined) return { document, path: found.path, value: found.schema }
  return findBehind(document, resource, fragment, around)
}

const childOf = (value: Json, step: string): Json | undefined => {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(step) ? (value[Number(step)] as Json | undefined) : undefined
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

// Each may lead through others.
const mostBehind = 20

/** What a pointer names where it leads through references: "#/components/schemas/Pet" where "schemas" is a file. */
const findBehind = (document: Document, resource: Resource, fragment: string, around: Around): Target | null => {
  const steps = parseFragment(fragment)
  if (steps === null || around.depth > mostBehind) return null
  let at: Target = { document, path: resource.path, value: resource.root }
  for (const step of steps) {
    let child = childOf(at.value, step)
    if (child === undefined && isObject(at.value) && typeof at.value.$ref === 'string') {
      const reference = { ref: at.value.$ref, base: baseAt(at) }
      const target = follow(at.document, reference, { ...around, depth: around.depth + 1 })
      if (typeof target === 'string') return null
      at = target
      child = childOf(at.value, step)
    }
    if (child === undefined) return null
    at = { ...at, path: [...at.path, Array.isArray(at.value) ? Number(step) : step], value: child }
  }
  return at
}

const wholeOf = (document: Document): Resource => resourcesOf(document.value).document

/**
 * Resolves one reference of `document` by one step (RFC 3986; JSON Pointer, `$anchor` and `$id` as in JSON Schema 2020-12).
 * A pointer may lead through other references. `documents` are the others it may lead to; relative references are joined to the document's `source` (see `referenceNames`).
 */
export const resolveReference = (
  document: Document,
  reference: Pick<Reference, 'ref' | 'base'>,
  documents: Documents = {},
): Target | Unresolved => resolve(document, reference, { documents, depth: 0 })

const resolve = (
  document: Document,
  reference: Pick<Reference, 'ref' | 'base'>,
  around: Around,
): Target | Unresolved => {
  const { documents } = around
  const { base, ref } = reference
  const [address, fragment] = splitFragment(ref)
  const resources = resourcesOf(document.value)
  if (address === '') {
    const inner = (base === '' ? undefined : resources.byUri(base)) ?? resources.document
    const found = resources.resolve(ref, inner)
    if (found !== undefined) return { document, path: found.path, value: found.schema }
    return findBehind(document, inner, fragment, around) ?? 'place-missing'
  }
  const joined = base === '' ? address : resolveUri(base, address)
  for (const uri of new Set([joined, address])) {
    const resource = resources.byUri(uri)
    if (resource !== undefined) return findIn(document, resource, fragment, around) ?? 'place-missing'
    const other = base !== '' && uri === joined && Object.hasOwn(documents, uri) ? documents[uri] : undefined
    if (other !== undefined) return findIn(other, wholeOf(other), fragment, around) ?? 'place-missing'
  }
  for (const named of namesIn(document, ref)) {
    const { name } = named
    const other = name === document.source ? document : Object.hasOwn(documents, name) ? documents[name] : undefined
    if (other !== undefined) return findIn(other, wholeOf(other), named.fragment, around) ?? 'place-missing'
  }
  const other = Object.hasOwn(documents, address) ? documents[address] : undefined
  return other === undefined ? 'document-missing' : (findIn(other, wholeOf(other), fragment, around) ?? 'place-missing')
}

/** What references at a place are relative to: the nearest `$id` above it; "" where there is none. */
export const baseAt = ({ document, path }: Pick<Target, 'document' | 'path'>): string =>
  resourcesOf(document.value).along(path).at(-1)!.base

/** Follows a reference, and references to references, to a value that is not a reference. */
export const followReference = (
  document: Document,
  reference: Pick<Reference, 'ref' | 'base'>,
  documents: Documents = {},
): Target | Unresolved => follow(document, reference, { documents, depth: 0 })

const follow = (
  document: Document,
  reference: Pick<Reference, 'ref' | 'base'>,
  around: Around,
): Target | Unresolved => {
  let at = resolve(document, reference, around)
  const seen = new Set<Json>()
  while (typeof at === 'object' && isObject(at.value) && typeof at.value.$ref === 'string') {
    if (seen.has(at.value)) return 'cycle'
    seen.add(at.value)
    at = resolve(at.document, { ref: at.value.$ref, base: baseAt(at) }, around)
  }
  return at
}

const reasons: Readonly<Record<Unresolved, (ref: string) => string>> = {
  'document-missing': (ref) => `Cannot resolve $ref "${ref}": the document was not found.`,
  'place-missing': (ref) => `Cannot resolve $ref "${ref}": the target does not exist.`,
  cycle: (ref) => `Cannot resolve $ref "${ref}": it refers to itself.`,
}

// Everybody knows the meta-schemas, also through references of the document itself.
const leadsToMetaSchema = (
  document: Document,
  reference: Pick<Reference, 'ref' | 'base'>,
  documents: Documents,
): boolean => {
  let { ref, base } = reference
  for (let hops = 0, at: Target | Unresolved | null = null; hops < 50; hops++) {
    if (/^https?:\/\/json-schema\.org\/draft[-/]/.test(ref)) return true
    at =
      at === null
        ? resolveReference(document, reference, documents)
        : resolveReference(at.document, { ref, base }, documents)
    if (typeof at !== 'object' || !isObject(at.value) || typeof at.value.$ref !== 'string') return false
    ref = at.value.$ref
    base = baseAt(at)
  }
  return false
}

/** The references of a document that cannot be resolved, as problems of severity error with the range of the `$ref` value. */
export const findUnresolved = (document: Document, documents: Documents = {}): Problem[] => {
  if (allResolve(document)) return []
  // A document names few places many times: each is looked for once.
  const asked = new Map<string, Unresolved | null>()
  const problems: Problem[] = []
  // The schemas of a tool are documents of their own: their references count from there.
  const references = document.format?.kind === 'mcp' ? [] : findReferences(document.value)
  for (const reference of references) {
    const { ref, base } = reference
    const key = base === '' ? ref : `${base} ${ref}`
    let reason = asked.get(key)
    if (reason === undefined) asked.set(key, (reason = whyUnresolved(document, reference, documents)))
    if (reason === null) continue
    const path = [...reference.path, '$ref']
    problems.push({
      code: reason === 'cycle' ? 'reference-cycle' : 'unresolved-reference',
      severity: 'error',
      message: reasons[reason](ref),
      path,
      range: document.locate(path),
    })
  }
  return problems
}

// In most documents every reference is local, means the whole document and resolves: then their positions need not be determined.
const allResolve = (document: Document): boolean => {
  const { value, text } = document
  if (typeof value !== 'object' || value === null || /\$(?:dynamicRef|id)/.test(text)) return false
  if (resourcesOf(value).document.draft === 'draft-04' && text.includes('id')) return false
  const sound = new Set<string>()
  for (const ref of writtenReferences(value)) if (!leadsSomewhere(document, ref, sound)) return false
  return true
}

/** Whether a reference within the document leads to a place; `sound` gathers those that do, each followed once. */
const leadsSomewhere = (document: Document, first: string, sound: Set<string>): boolean => {
  const way = new Set<string>()
  for (let ref: string | null = first; ref !== null && !sound.has(ref);) {
    if (!ref.startsWith('#') || way.has(ref)) return false
    way.add(ref)
    const target = resolveReference(document, { ref, base: '' })
    if (typeof target !== 'object') return false
    ref = isObject(target.value) && typeof target.value.$ref === 'string' ? target.value.$ref : null
  }
  for (const ref of way) sound.add(ref)
  return true
}

const whyUnresolved = (document: Document, reference: Reference, documents: Documents): Unresolved | null => {
  const target = followReference(document, reference, documents)
  return typeof target === 'object' || leadsToMetaSchema(document, reference, documents) ? null : target
}
