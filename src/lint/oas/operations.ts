import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { type ItemOperation, operationsIn } from '../../kernel/methods.ts'

/** An operation of a document, with the path item that has it. */
export interface OperationAt extends ItemOperation {
  readonly path: string
  readonly pathItem: JsonObject
}

/**
 * The operations under `paths`, in the order of the value, through references of path items and operations.
 * @param known the methods of the version of the document
 */
export function* eachOperation(
  paths: Json | undefined,
  known: readonly string[],
  deref: (value: Json) => Json,
): Generator<OperationAt> {
  const all = deref(paths ?? null)
  if (!isObject(all)) return
  for (const path of Object.keys(all)) {
    const pathItem = deref(all[path] as Json)
    if (!isObject(pathItem)) continue
    const order = Object.keys(pathItem).filter((key) => known.includes(key))
    for (const found of operationsIn(pathItem, order, known.includes('query'), deref))
      yield { ...found, path, pathItem }
  }
}
