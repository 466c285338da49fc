import { isObject, type Json } from '../../kernel/json.ts'
import { methodsOf } from '../../kernel/methods.ts'
import type { Violation, LintFunction } from '../rule.ts'
import { eachOperation } from './operations.ts'

/** The tags of operations are among the tags of the document. */
const tagsDefined: LintFunction = (input, _options, { deref }) => {
  if (!isObject(input)) return []
  const defined = new Set<Json>()
  if (Array.isArray(input.tags))
    for (const it of input.tags as readonly Json[]) {
      const tag = deref(it)
      if (isObject(tag) && typeof tag.name === 'string') defined.add(tag.name)
    }
  const violations: Violation[] = []
  for (const { path, steps, operation } of eachOperation(input.paths, methodsOf(input), deref)) {
    if (!Array.isArray(operation.tags)) continue
    for (const [index, tag] of (operation.tags as readonly Json[]).entries())
      if (!defined.has(tag))
        violations.push({
          message: `The tag ${JSON.stringify(tag)} is not defined.`,
          path: ['paths', path, ...steps, 'tags', index],
        })
  }
  return violations
}
export default tagsDefined
