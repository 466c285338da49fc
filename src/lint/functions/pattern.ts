import { printValue } from '../message.ts'
import { patternOf } from '../pattern.ts'
import type { Complaint, LintFunction } from '../rule.ts'

/** The text matches `match` and does not match `notMatch`: regular expressions, "/…/flags" or bare. */
const pattern: LintFunction = (input, { match, notMatch }) => {
  if (typeof input !== 'string') return []
  const complaints: Complaint[] = []
  if (typeof match === 'string' && patternOf(match)?.test(input) === false)
    complaints.push({ message: `#{{print("value")}} must match the pattern ${printValue(match)}` })
  if (typeof notMatch === 'string' && patternOf(notMatch)?.test(input) === true)
    complaints.push({ message: `#{{print("value")}} must not match the pattern ${printValue(notMatch)}` })
  return complaints
}
export default pattern

export const options = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: { match: { type: 'string' }, notMatch: { type: 'string' } },
}
