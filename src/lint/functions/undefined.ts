import type { LintFunction } from '../rule.ts'

/** The value is absent. */
const absent: LintFunction = (input, _, { path }) =>
  input === undefined ? [] : [{ message: `"${String(path.at(-1) ?? '')}" property should be undefined` }]

export default absent
