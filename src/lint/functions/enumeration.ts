import type { Json } from '../../kernel/json.ts'
import { printValue } from '../message.ts'
import type { LintFunction } from '../rule.ts'

/** The value is one of `values`. Objects and lists are not looked at. */
const enumeration: LintFunction = (input, { values }) => {
  if (input === undefined || (typeof input === 'object' && input !== null)) return []
  const allowed = (values ?? []) as readonly Json[]
  if (allowed.includes(input)) return []
  const named = allowed.map(printValue).join(', ')
  return [{ message: `#{{print("value")}} must be equal to one of the allowed values: ${named}` }]
}
export default enumeration

export const options = {
  type: 'object',
  additionalProperties: false,
  required: ['values'],
  properties: { values: { type: 'array', items: { type: ['string', 'number', 'null', 'boolean'] } } },
}
