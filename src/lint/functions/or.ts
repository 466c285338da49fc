import { isObject } from '../../document/json.ts'
import type { LintFunction } from '../rule.ts'

/** At least one of `properties` is there. */
const or: LintFunction = (input, options) => {
  if (!isObject(input) || !isObject(options) || !Array.isArray(options.properties)) return []
  const names = options.properties.map(String)
  if (names.some((name) => Object.hasOwn(input, name))) return []
  return [{ message: `at least one of ${names.map((name) => `"${name}"`).join(', ')} must be defined` }]
}

export default or
