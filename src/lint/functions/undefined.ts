import type { LintFunction } from '../rule.ts'

/** The value is absent. */
const absent: LintFunction = (input) =>
  input === undefined ? [] : [{ message: '#{{print("property")}}must be undefined' }]
export default absent
