import type { LintFunction } from '../rule.ts'

/** The value is there, be it null. */
const defined: LintFunction = (input) =>
  input === undefined ? [{ message: '#{{print("property")}}must be defined' }] : []
export default defined
