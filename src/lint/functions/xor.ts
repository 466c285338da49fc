import { isObject } from '../../document/json.ts'
import { namedProperties, presentProperties } from '../presence.ts'
import type { Complaint, LintFunction } from '../rule.ts'

/** Exactly one of `properties` is there. */
const xor: LintFunction = (input, { properties }) => {
  if (!isObject(input) || !Array.isArray(properties) || properties.length < 2) return []
  const present = presentProperties(input, properties)
  const complaints: Complaint[] = []
  if (present.length === 0) complaints.push({ message: namedProperties(properties) })
  if (present.length > 1) complaints.push({ message: `Just one of "${present.join('" and "')}" must be defined` })
  return complaints
}
export default xor

export const options = {
  type: 'object',
  additionalProperties: false,
  required: ['properties'],
  properties: { properties: { type: 'array', items: { type: 'string' }, minItems: 2 } },
}
