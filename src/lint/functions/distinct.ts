import { canonicalize } from '../../document/serialize.ts'
import type { LintFunction } from '../rule.ts'

/** No value stands twice in a list. */
const distinct: LintFunction = (input) => {
  if (!Array.isArray(input)) return []
  const seen = new Map<string, number>()
  for (const [index, value] of input.entries()) {
    const text = canonicalize(value)
    const first = seen.get(text)
    if (first !== undefined)
      return [{ message: `property must not have duplicate items (items ## ${first} and ${index} are identical)` }]
    seen.set(text, index)
  }
  return []
}

export default distinct
