import type { LintFunction } from '../rule.ts'

/** The value is there. */
const defined: LintFunction = (input, _, { path }) =>
  input === undefined ? [{ message: `"${String(path.at(-1) ?? '')}" property must be defined` }] : []

export default defined
