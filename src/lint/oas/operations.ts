import { isObject, type Json, type JsonObject } from '../../document/json.ts'

/** The keys of a path item that are operations. */
export const methods: ReadonlySet<string> = new Set([
  'get',
  'head',
  'post',
  'put',
  'patch',
  'delete',
  'options',
  'trace',
])

export interface OperationAt {
  readonly path: string
  readonly method: string
  readonly operation: JsonObject
  readonly pathItem: JsonObject
}

/** The operations under `paths`, in the order of the value, through references of path items. */
export function* eachOperation(paths: Json | undefined, deref: (value: Json) => Json): Generator<OperationAt> {
  if (!isObject(paths)) return
  for (const path of Object.keys(paths)) {
    const pathItem = deref(paths[path] as Json)
    if (!isObject(pathItem)) continue
    for (const method of Object.keys(pathItem)) {
      const operation = pathItem[method]
      if (methods.has(method) && isObject(operation)) yield { path, method, operation, pathItem }
    }
  }
}
