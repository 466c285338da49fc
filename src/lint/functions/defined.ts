import type { LintFunction } from '../rule.ts'

/** The value exists; null counts. */
const defined: LintFunction = (input) =>
  input === undefined ? [{ message: '#{{print("property")}}must be defined' }] : []
export default defined
