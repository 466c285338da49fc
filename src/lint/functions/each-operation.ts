import { isObject, type Json, type JsonObject, type Path } from '../../document/json.ts'

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

/** An operation of an OpenAPI or Swagger document. */
export interface FoundOperation {
  readonly template: string
  readonly method: string
  readonly item: JsonObject
  readonly operation: JsonObject
  readonly path: Path
}

/** The operations of a document, in its order. */
export function eachOperation(root: Json): FoundOperation[] {
  const paths = isObject(root) && isObject(root.paths) ? root.paths : {}
  return Object.entries(paths).flatMap(([template, item]) =>
    isObject(item)
      ? Object.entries(item).flatMap(([method, operation]) =>
          methods.has(method) && isObject(operation)
            ? [{ template, method, item, operation, path: ['paths', template, method] }]
            : [],
        )
      : [],
  )
}
