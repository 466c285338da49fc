import { isObject } from '../../document/json.ts'
import type { LintFunction } from '../rule.ts'

/** Exactly one of `properties` is there. */
const xor: LintFunction = (input, options) => {
  if (!isObject(input) || !isObject(options) || !Array.isArray(options.properties)) return []
  const names = options.properties.map(String)
  const found = names.filter((name) => Object.hasOwn(input, name))
  if (found.length === 1) return []
  const list = names.map((name) => `"${name}"`).join(', ')
  return [{ message: found.length === 0 ? `one of ${list} must be defined` : `only one of ${list} must be defined` }]
}

export default xor
