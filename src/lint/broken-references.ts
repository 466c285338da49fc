import type { Document } from '../document/document.ts'
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { getPath } from '../kernel/pointer.ts'
import { baseAt, findUnresolved, resolveReference, type Documents, type Unresolved } from '../document/reference.ts'

import { readRef } from '../kernel/type-ref.ts'

/** A reference that cannot be resolved. */
interface Broken {
  readonly message: string
  /** Of the `$ref`. */
  readonly path: Path
}

function* everyReference(value: Json, path: Path = []): Generator<{ readonly ref: string; readonly path: Path }> {
  if (Array.isArray(value))
    for (const [index, item] of (value as readonly Json[]).entries()) yield* everyReference(item, [...path, index])
  else if (isObject(value)) {
    if (typeof value.$ref === 'string') yield { ref: value.$ref, path: [...path, '$ref'] }
    for (const key of Object.keys(value)) yield* everyReference(value[key] as Json, [...path, key])
  }
}

const said = (ref: string, reason: Unresolved): string => {
  if (reason === 'document-missing') return `Cannot resolve $ref "${ref}": the document cannot be read.`
  return ref.startsWith('#') ? `'${ref}' does not exist` : `Cannot resolve $ref "${ref}": the target does not exist.`
}

/** What is wrong at the end of a chain of references; null where nothing is. */
function faultOf(document: Document, first: string, path: Path, documents: Documents): string | null {
  let [at, ref, base] = [document, first, baseAt({ document, path })]
  const seen = new Set<Json>()
  for (;;) {
    const target = resolveReference(at, { ref, base }, documents)
    if (typeof target === 'string') return said(ref, target)
    const { value } = target
    if (!isObject(value) || typeof value.$ref !== 'string' || seen.has(value)) return null
    seen.add(value)
    ref = value.$ref
    at = target.document
    base = baseAt(target)
  }
}

const typeMessage = (ref: string, documents: Documents): string =>
  Object.hasOwn(documents, ref.replace(/#.*$/s, ''))
    ? `Cannot resolve $ref "${ref}": the type does not have this part.`
    : `Cannot resolve $ref "${ref}": the registry has no such type.`

/**
 * The references of a document that cannot be resolved: one for each missing target, even if several references name it.
 * @param options `everywhere`: as Spectral looks, in examples and extensions too, and a circle of references is not an error;
 *   `types`: `documents` has every registered type that there is
 */
export function brokenReferences(
  document: Document,
  documents: Documents,
  { everywhere, types }: { readonly everywhere: boolean; readonly types: boolean },
): Broken[] {
  const found = new Map<string, Broken>()
  const add = (message: string, path: Path) => {
    if (!found.has(message)) found.set(message, { message, path })
  }
  if (everywhere)
    for (const { ref, path } of everyReference(document.value)) {
      const message = faultOf(document, ref, path, documents)
      if (message !== null) add(types && readRef(ref) !== null ? typeMessage(ref, documents) : message, path)
    }
  else
    for (const { code, message, path } of findUnresolved(document, documents)) {
      const written = getPath(document.value, path)
      if (typeof written === 'string' && readRef(written) !== null) {
        // Only the registry knows whether it has a type: publishing asks it. What a type that is here lacks is known.
        if (types || Object.hasOwn(documents, written.replace(/#.*$/s, ''))) add(typeMessage(written, documents), path)
        continue
      }
      const isLocal = code === 'unresolved-reference' && typeof written === 'string' && written.startsWith('#')
      add(isLocal ? said(written, 'place-missing') : message, path)
    }
  return [...found.values()]
}
