import { printValue } from '../message.ts'
import { readPattern } from '../pattern.ts'
import type { Violation, LintFunction } from '../rule.ts'

/** The text matches `match` and does not match `notMatch`: regular expressions, "/…/flags" or bare. */
const pattern: LintFunction = (input, { match, notMatch }) => {
  if (typeof input !== 'string') return []
  const violations: Violation[] = []
  const ask = (source: string, wanted: boolean): void => {
    const answer = readPattern(source)?.test(input)
    if (answer === null)
      violations.push({ message: `was not checked: the pattern ${printValue(source)} takes too long for this string` })
    else if (answer === !wanted)
      violations.push({
        message: `#{{print("value")}} must ${wanted ? '' : 'not '}match the pattern ${printValue(source)}`,
      })
  }
  if (typeof match === 'string') ask(match, true)
  if (typeof notMatch === 'string') ask(notMatch, false)
  return violations
}
export default pattern

export const options = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: { match: { type: 'string' }, notMatch: { type: 'string' } },
}
