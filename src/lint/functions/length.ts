import { isObject } from '../../document/json.ts'
import type { LintFunction } from '../rule.ts'

/** Numbers, lengths of texts and lists, and counts of keys lie between `min` and `max`. */
const length: LintFunction = (input, options) => {
  if (input === undefined || input === null || typeof input === 'boolean' || !isObject(options)) return []
  const size = typeof input === 'number' ? input : typeof input === 'object' ? Object.keys(input).length : input.length
  const { min, max } = options
  if (typeof min === 'number' && size < min) return [{ message: `must be longer than ${min}` }]
  if (typeof max === 'number' && size > max) return [{ message: `must be shorter than ${max}` }]
  return []
}

export default length
