import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { getPath, parseFragment } from '../../kernel/pointer.ts'
import { openapi31 } from '../../document/validate/openapi-31.ts'
import { openapi32 } from '../../document/validate/openapi-32.ts'
import { edit, rebuild } from '../../document/validate/rebuild.ts'
import type { Notes } from '../notes.ts'

// Follows references to references.
const lookUp = (content: JsonObject, ref: string): Json | undefined => {
  let found: Json | undefined = { $ref: ref }
  for (let hops = 0; isObject(found) && typeof found.$ref === 'string' && hops < 50; hops++) {
    const path: readonly string[] | null = found.$ref.startsWith('#') ? parseFragment(found.$ref) : null
    found = path === null ? undefined : getPath(content, path)
  }
  return found
}

// Says in 3.1 what 3.2 says by a field of its own, where that is possible.
const translate = (name: string, node: JsonObject): JsonObject => {
  if (name === 'MediaType' && node.itemSchema !== undefined && node.schema === undefined)
    return edit(node, ['itemSchema'], { schema: { type: 'array', items: node.itemSchema } })
  if (name === 'Example' && Object.hasOwn(node, 'dataValue') && !Object.hasOwn(node, 'value'))
    return edit(node, ['dataValue'], { value: node.dataValue })
  if (name === 'Response' && typeof node.description !== 'string')
    return edit(node, ['description', 'summary'], { description: typeof node.summary === 'string' ? node.summary : '' })
  return node
}

/** A path item of a document that was made 3.1, with the operations that 3.1 has no field for under their names in 3.2. */
export function withLaterOperations(item: JsonObject): JsonObject {
  const later = ['query', 'additionalOperations'].filter(
    (key) => isObject(item[`x-${key}`]) && !Object.hasOwn(item, key),
  )
  if (later.length === 0) return item
  return {
    ...edit(
      item,
      later.map((key) => `x-${key}`),
    ),
    ...Object.fromEntries(later.map((key) => [key, item[`x-${key}`] as Json])),
  }
}

/**
 * An OpenAPI 3.2 document as 3.1.0. Fields that 3.1 does not know are kept as extensions of the same name (`x-itemSchema`) with a
 * warning each; operations of methods that 3.1 lacks are kept so, too (`withLaterOperations`).
 */
export const downgradeOpenapi32 = (content: JsonObject, notes: Notes): JsonObject =>
  rebuild(openapi32, content, (name, original, path, reference) => {
    if (reference) {
      // Media types cannot be references in 3.1.
      if (name !== 'MediaType') return original
      const target = lookUp(content, String(original.$ref))
      return isObject(target) && target.$ref === undefined ? translate(name, target) : {}
    }
    let node = translate(name, original)
    if (name === 'MediaType' && node !== original)
      notes.add('item-schema', 'Converted the schema of streamed items to that of an array.', [...path, 'itemSchema'])
    if (name === 'Document') node = { openapi: '3.1.0', ...edit(node, ['openapi']) }
    if (name === 'Parameter' && node.in === 'querystring') {
      notes.add('not-in-3.1', 'Converted the "querystring" parameter to a query parameter.', [...path, 'in'])
      node = edit(node, [], { in: 'query' })
    }
    if (name === 'Parameter' && node.style === 'cookie') {
      notes.add('not-in-3.1', 'Removed the style "cookie"; OpenAPI 3.1 encodes cookies as forms.', [...path, 'style'])
      node = edit(node, ['style'])
    }
    if (name === 'Parameter' && node.in !== 'query')
      for (const key of ['allowReserved', 'allowEmptyValue'].filter((it) => Object.hasOwn(node, it))) {
        if (node[key] !== false)
          notes.add('not-in-3.1', `Removed "${key}", which OpenAPI 3.1 has for query parameters only.`, [...path, key])
        node = edit(node, [key])
      }
    const known = openapi31.nodes[name]
    const later = openapi32.nodes[name]
    // What is of a type that 3.1 lacks is in a field that becomes an extension as a whole.
    if (later === undefined || known === undefined) return node
    const unknown = Object.keys(node).filter(
      (key) => Object.hasOwn(later.fields, key) && !Object.hasOwn(known.fields, key),
    )
    if (unknown.length === 0) return node
    for (const key of unknown)
      notes.add('not-in-3.1', `OpenAPI 3.1 has no "${key}" here; kept it as "x-${key}".`, [...path, key])
    return Object.fromEntries(
      Object.entries(node).map(([key, value]): [string, Json] => [unknown.includes(key) ? `x-${key}` : key, value]),
    )
  })
