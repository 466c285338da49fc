import type { LintFunction } from '../rule.ts'

/** The value is absent, false, 0, empty text or null. */
const falsy: LintFunction = (input, _, { path }) =>
  input ? [{ message: `"${String(path.at(-1) ?? '')}" property must be falsy` }] : []

export default falsy
