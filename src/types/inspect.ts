import type { Document } from '../document/document.ts'
import { identifierOf } from '../document/references-in-document.ts'
import { isObject, type Json } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { validateSchema } from '../document/validate/structure.ts'
import { dialectOf } from './same.ts'

/** What a schema says of itself, and whether it is valid. */
export interface Inspected {
  /** The draft that it is written in: "2020-12", "draft-07" … */
  readonly draft: string
  /** Its `$id`; null where it has none. */
  readonly schemaId: string | null
  /** What is wrong with it by the rules of its draft, 20 at most. */
  readonly errors: readonly { readonly pointer: string; readonly message: string }[]
}

const mostErrors = 20

/**
 * Checks a schema by the grammar of its draft.
 * @param document the document that it comes from
 */
export function inspectSchema(document: Document, schema: Json): Inspected {
  const draft = dialectOf(schema)
  // A grammar describes objects; true and false are schemas as well.
  const problems = typeof schema === 'boolean' ? [] : validateSchema(document, [], schema, draft)
  const errors = problems
    .filter(({ severity }) => severity === 'error')
    .slice(0, mostErrors)
    .map(({ message, path }) => ({ pointer: formatPointer(path), message }))
  const id = isObject(schema) ? identifierOf(schema, draft, true) : null
  return { draft, schemaId: id === null || id.startsWith('#') ? null : id, errors }
}
