import type { JsonObject } from '../../document/json.ts'

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
