/** What the tasks of a document are about: an operation and a schema that every task of its kind can be asked of. */
import { isObject, type Json, type JsonObject } from '../../src/kernel/json.ts'
import { formatPointer } from '../../src/kernel/pointer.ts'

/** Places of a document. */
export interface Target {
  /** Of the document, from the folder of the packages. */
  readonly document: string
  readonly value: JsonObject
  /** "GET /pets": it answers JSON of a named schema. */
  readonly operation: string
  /** JSON Pointer of the operation. */
  readonly at: string
  readonly status: string
  /** The named schema of the answer, an object with properties. */
  readonly schema: string
  readonly property: string
}

const refName = (schema: Json | undefined): string | null => {
  const direct = isObject(schema) && isObject(schema.items) ? schema.items : schema
  const ref = isObject(direct) && typeof direct.$ref === 'string' ? direct.$ref : ''
  return ref.startsWith('#/components/schemas/') ? ref.slice('#/components/schemas/'.length) : null
}

function schemaOf(value: JsonObject, name: string): JsonObject | null {
  const components = isObject(value.components) ? value.components : {}
  const schema = isObject(components.schemas) ? components.schemas[name] : undefined
  return isObject(schema) && isObject(schema.properties) && Object.keys(schema.properties).length > 0 ? schema : null
}

function answerIn(operation: JsonObject): { readonly status: string; readonly schema: string } | null {
  for (const [status, answer] of Object.entries(isObject(operation.responses) ? operation.responses : {})) {
    const content = isObject(answer) && isObject(answer.content) ? answer.content : {}
    const media = content['application/json']
    const schema = isObject(media) ? refName(media.schema) : null
    if (status.startsWith('2') && schema !== null) return { status, schema }
  }
  return null
}

/**
 * The first operation with GET of a document whose answer is of a named schema.
 * @throws Error for a document that has none
 */
export function targetIn(document: string, value: JsonObject): Target {
  for (const [path, item] of Object.entries(isObject(value.paths) ? value.paths : {})) {
    const operation = isObject(item) ? item.get : undefined
    const answer = isObject(operation) ? answerIn(operation) : null
    const schema = answer === null ? null : schemaOf(value, answer.schema)
    if (answer === null || schema === null) continue
    const [property = ''] = Object.keys(isObject(schema.properties) ? schema.properties : {})
    return { document, value, operation: `GET ${path}`, at: formatPointer(['paths', path, 'get']), ...answer, property }
  }
  throw new Error(`${document} has no operation that answers a named schema`)
}
