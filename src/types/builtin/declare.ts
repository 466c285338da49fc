import type { JsonObject } from '../../kernel/json.ts'

/** A type that comes with svc, as it is written here. */
export interface BuiltinDeclaration {
  readonly namespace: string
  readonly name: string
  readonly category: string
  /** What it describes; of a standard type with the standard that defines it. */
  readonly description: string
  readonly tags: readonly string[]
  readonly schema: JsonObject
}

/** What most declarations of a file share: the namespace, the category and tags. */
export const family =
  (namespace: string, category: string, ...tags: readonly string[]) =>
  (name: string, description: string, schema: JsonObject): BuiltinDeclaration => ({
    namespace,
    name,
    category,
    description,
    tags,
    schema,
  })

export const text: JsonObject = { type: 'string' }
export const filled: JsonObject = { type: 'string', minLength: 1 }
export const flag: JsonObject = { type: 'boolean' }
export const words: JsonObject = { type: 'array', items: text }
export const uri: JsonObject = { $ref: 'svc:rfc3986/Uri' }
export const reference: JsonObject = { $ref: 'svc:rfc3986/UriReference' }

/** The schema of an object with these properties. */
export const object = (required: readonly string[], properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  ...(required.length === 0 ? {} : { required }),
  properties,
  ...more,
})
