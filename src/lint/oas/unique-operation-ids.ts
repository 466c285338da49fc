import type { Json } from '../../document/json.ts'
import type { Violation, LintFunction } from '../rule.ts'
import { eachOperation } from './operations.ts'

/** No two operations of the paths have the same operationId. */
const uniqueOperationIds: LintFunction = (input, _options, { deref }) => {
  const seen = new Set<Json>()
  const violations: Violation[] = []
  for (const { path, method, operation } of eachOperation(input, deref)) {
    const id = operation.operationId
    if (id === undefined) continue
    if (seen.has(id))
      violations.push({ message: 'operationId must be unique.', path: ['paths', path, method, 'operationId'] })
    seen.add(id)
  }
  return violations
}
export default uniqueOperationIds
