import { isObject } from '../../kernel/json.ts'
import { printValue } from '../message.ts'
import type { Violation, LintFunction } from '../rule.ts'

/** Characters of a text, items of a list, members of an object, or a number itself: between `min` and `max`. */
const length: LintFunction = (input, { min, max }) => {
  const size =
    typeof input === 'number'
      ? input
      : typeof input === 'string' || Array.isArray(input)
        ? input.length
        : isObject(input)
          ? Object.keys(input).length
          : null
  if (size === null) return []
  const violations: Violation[] = []
  if (typeof min === 'number' && size < min)
    violations.push({ message: `#{{print("property")}}must be longer than ${printValue(min)}` })
  if (typeof max === 'number' && size > max)
    violations.push({ message: `#{{print("property")}}must be shorter than ${printValue(max)}` })
  return violations
}
export default length

export const options = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: { min: { type: 'number' }, max: { type: 'number' } },
}
