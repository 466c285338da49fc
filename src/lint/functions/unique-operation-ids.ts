import type { LintFunction } from '../rule.ts'
import { eachOperation } from './each-operation.ts'

/** No two operations share an operationId; the second and later ones are told. */
const uniqueOperationIds: LintFunction = (_, __, { root }) => {
  const seen = new Set<unknown>()
  return eachOperation(root).flatMap(({ operation, path }) => {
    const { operationId } = operation
    if (operationId === undefined) return []
    if (seen.has(operationId)) return [{ message: 'operationId must be unique.', path: [...path, 'operationId'] }]
    seen.add(operationId)
    return []
  })
}

export default uniqueOperationIds
