import type { LintFunction } from '../rule.ts'

/** The value is there and neither false, null, zero nor empty text. */
const truthy: LintFunction = (input) => (input ? [] : [{ message: '#{{print("property")}}must be truthy' }])
export default truthy
