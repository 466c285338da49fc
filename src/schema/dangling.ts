import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { dataKeywords, enterResource, resolveReference, rootResource, type Resource } from './validation/resource.ts'
import type { Dialect } from './validation/run.ts'

/**
 * The first `$ref` of a schema that leads to nothing within it (JSON Schema 2020-12, section 8.2.3). Values of "enum",
 * "const" and the like are data, not schemas.
 * @returns the reference as it is written; null where every one leads somewhere
 */
export function danglingReference(schema: JsonObject, dialect: Dialect): string | null {
  const document = rootResource(schema, '', dialect === 'draft-04')
  const seen = new Set<Json>()
  const search = (node: Json | undefined, outer: Resource): string | null => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return null
    seen.add(node)
    const at = isObject(node) ? enterResource(node, outer) : outer
    const { $ref } = node as JsonObject
    if (typeof $ref === 'string' && resolveReference($ref, at, document, undefined) === undefined) return $ref
    for (const [key, child] of Object.entries(node)) {
      const found = dataKeywords.has(key) ? null : search(child, at)
      if (found !== null) return found
    }
    return null
  }
  return search(schema, document)
}
