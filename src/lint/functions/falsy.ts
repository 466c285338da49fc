import type { LintFunction } from '../rule.ts'

/** The value is absent, false, null, zero or empty text. */
const falsy: LintFunction = (input) => (input ? [{ message: '#{{print("property")}}must be falsy' }] : [])
export default falsy
