import { isObject, type Json } from '../../kernel/json.ts'
import type { Violation, LintFunction } from '../rule.ts'

/** Parameters of one operation differ in name or place; Swagger 2.0 has one body at most, and no form beside it. */
const uniqueParameters: LintFunction = (input, _options, { path, deref }) => {
  if (!Array.isArray(input) || input.length < 2) return []
  const seen = new Set<string>()
  const violations: Violation[] = []
  const bodies: number[] = []
  let forms = 0
  for (const [index, written] of (input as readonly Json[]).entries()) {
    const parameter = deref(written)
    if (!isObject(parameter) || '$ref' in parameter) continue
    const key = `${String(parameter.in)}-${String(parameter.name)}`
    if (seen.has(key))
      violations.push({
        message: 'Another parameter of this operation has the same "name" and "in".',
        kind: 'repeated',
        path: [...path, index],
      })
    seen.add(key)
    if (parameter.in === 'body') bodies.push(index)
    if (parameter.in === 'formData') forms++
  }
  if (bodies.length > 0 && forms > 0)
    violations.push({ message: 'Operation must not have both "in:body" and "in:formData" parameters.' })
  for (const index of bodies.slice(1))
    violations.push({
      message: 'Operation must not have more than a single instance of the "in:body" parameter.',
      path: [...path, index],
    })
  return violations
}
export default uniqueParameters
