import { isObject } from '../../kernel/json.ts'
import { namedProperties, presentProperties } from '../presence.ts'
import type { Violation, LintFunction } from '../rule.ts'

/** Exactly one of `properties` is there. */
const xor: LintFunction = (input, { properties }) => {
  if (!isObject(input) || !Array.isArray(properties) || properties.length < 2) return []
  const present = presentProperties(input, properties)
  const violations: Violation[] = []
  if (present.length === 0) violations.push({ message: namedProperties(properties) })
  if (present.length > 1) violations.push({ message: `Just one of "${present.join('" and "')}" must be defined` })
  return violations
}
export default xor

export const options = {
  type: 'object',
  additionalProperties: false,
  required: ['properties'],
  properties: { properties: { type: 'array', items: { type: 'string' }, minItems: 2 } },
}
