import type { LintFunction } from '../rule.ts'

/** The value is a list with at least one entry. */
const nonEmptyList: LintFunction = (input) =>
  Array.isArray(input) && input.length > 0 ? [] : [{ message: 'must be a list with at least one entry' }]

export default nonEmptyList
