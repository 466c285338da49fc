import type { Json } from '../../kernel/json.ts'
import { methodsOf } from '../../kernel/methods.ts'
import type { Violation, LintFunction } from '../rule.ts'
import { eachOperation } from './operations.ts'

/** No two operations of the paths have the same operationId. */
const uniqueOperationIds: LintFunction = (input, _options, { root, deref }) => {
  const seen = new Set<Json>()
  const violations: Violation[] = []
  for (const { path, steps, operation } of eachOperation(input, methodsOf(root), deref)) {
    const id = operation.operationId
    if (id === undefined) continue
    if (seen.has(id))
      violations.push({ message: 'operationId must be unique.', path: ['paths', path, ...steps, 'operationId'] })
    seen.add(id)
  }
  return violations
}
export default uniqueOperationIds
