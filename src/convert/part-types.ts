import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { getPath, parseFragment } from '../kernel/pointer.ts'
import { openapi31 } from '../document/validate/openapi-31.ts'
import { edit, rebuild } from '../document/validate/rebuild.ts'

const octets = 'application/octet-stream'

/**
 * An OpenAPI 3.1 document that was of 3.0 with the content type of files said: a part that is a binary string has
 * "application/octet-stream" by default in 3.0 (section 4.7.15.1), and "text/plain" in 3.1 (section 4.8.15.1.1).
 */
export function withPartTypes(content: JsonObject): JsonObject {
  const follow = (schema: Json | undefined): JsonObject | null => {
    let found = schema
    for (let hops = 0; isObject(found) && typeof found.$ref === 'string' && hops < 50; hops++) {
      const path = found.$ref.startsWith('#') ? parseFragment(found.$ref) : null
      found = path === null ? undefined : getPath(content, path)
    }
    return isObject(found) ? found : null
  }
  const isFile = (schema: Json | undefined): boolean => {
    const found = follow(schema)
    if (found?.type === 'array') return follow(found.items)?.contentMediaType === octets
    return found?.contentMediaType === octets && found.contentEncoding === undefined
  }
  // Of the schema itself and of those that it is combined of.
  const partsOf = (schema: Json | undefined, seen = new Set<JsonObject>()): [string, Json][] => {
    const found = follow(schema)
    if (found === null || seen.has(found)) return []
    seen.add(found)
    const combined = ['allOf', 'anyOf', 'oneOf'].flatMap((key) =>
      Array.isArray(found[key]) ? (found[key] as Json[]) : [],
    )
    return [
      ...(isObject(found.properties) ? Object.entries(found.properties) : []),
      ...combined.flatMap((one) => partsOf(one, seen)),
    ]
  }
  return rebuild(openapi31, content, (name, node, path) => {
    if (name !== 'MediaType' || !/^multipart\//i.test(String(path.at(-1)))) return node
    const encoding = isObject(node.encoding) ? node.encoding : {}
    const added = partsOf(node.schema).flatMap(([key, schema]): [string, Json][] => {
      const own = isObject(encoding[key]) ? encoding[key] : {}
      return own.contentType === undefined && isFile(schema) ? [[key, { ...own, contentType: octets }]] : []
    })
    return added.length === 0 ? node : edit(node, [], { encoding: { ...encoding, ...Object.fromEntries(added) } })
  })
}
