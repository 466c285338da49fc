/** The operations of the newer document that changed: what has to be tested or generated again. */
import { isObject, type Json } from '../kernel/json.ts'
import { isMethod } from '../kernel/methods.ts'
import type { Change } from './change.ts'

/** An operation by its method, as it is sent, its path, and its id, which it may not have. */
export interface ChangedOperation {
  readonly method: string
  readonly path: string
  readonly operationId: string | null
}

/**
 * The operations that changes reach and that the newer document has, in its order. Changes of texts alone reach none.
 * @param head the value of the newer document
 */
export function changedOperations(changes: readonly Change[], head: Json): readonly ChangedOperation[] {
  const reached = new Set<string>()
  for (const { severity, operations, method, path } of changes) {
    if (severity === 'docs-only') continue
    for (const it of operations) reached.add(it)
    if (method !== null && path !== null) reached.add(`${method.toUpperCase()} ${path}`)
  }
  const paths = isObject(head) && isObject(head.paths) ? head.paths : {}
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([word, operation]): ChangedOperation[] => {
      const method = word.toUpperCase()
      if (!isMethod(word) || !isObject(operation) || !reached.has(`${method} ${path}`)) return []
      return [{ method, path, operationId: typeof operation.operationId === 'string' ? operation.operationId : null }]
    }),
  )
}
