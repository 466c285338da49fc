import { printValue } from '../message.ts'
import { readPattern } from '../pattern.ts'
import type { Document } from '../../document/document.ts'
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

/**
 * A regular expression that is a text of these signs, one of which no number has: no way of writing a text in JSON or YAML splits
 * or spells it otherwise, apart from `escapes`.
 */
const literal = /^(?=.*[<>=:@%;()])(?:[\w<>=:@%;-]|\\[().])+$/
/** An escape of an ASCII character by its number, and of a line break: what may make a text that is not written anywhere. */
const escapes = /\\(?:u00[0-7]|x[0-7]|U000000[0-7]|\r?\n)/

const spelledOut = new WeakMap<Document, boolean>()

/** Whether a text of the document that is in its value is in its text too, as far as it is a `literal`. */
function spellsOut(document: Document): boolean {
  let known = spelledOut.get(document)
  if (known === undefined) spelledOut.set(document, (known = !escapes.test(document.text)))
  return known
}

/** It finds nothing where what must not match is a plain text that no document contains. */
pattern.findsNothing = ({ match, notMatch }, documents) => {
  if (match !== undefined || typeof notMatch !== 'string' || !literal.test(notMatch)) return false
  const text = notMatch.replaceAll('\\', '')
  return documents.every((it) => spellsOut(it) && !it.text.includes(text))
}

export default pattern

export const options = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: { match: { type: 'string' }, notMatch: { type: 'string' } },
}
