import { isObject } from '../../document/json.ts'
import type { LintFunction } from '../rule.ts'

/** At least one status from 200 to 399, a range of them, or "default" where nothing else is declared to succeed. */
const successResponse: LintFunction = (input) => {
  if (!isObject(input)) return []
  return Object.keys(input).some((status) => /^[23](?:\d\d|XX)$/i.test(status))
    ? []
    : [{ message: 'no success is declared' }]
}

export default successResponse
