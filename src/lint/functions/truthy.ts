import type { LintFunction } from '../rule.ts'

/** The value is there and not false, 0, empty text or null. */
const truthy: LintFunction = (input, _, { path }) =>
  input ? [] : [{ message: `"${String(path.at(-1) ?? '')}" property must be truthy` }]

export default truthy
