import { isObject } from '../../document/json.ts'
import type { LintFunction } from '../rule.ts'

/** A single value is one of `values`. */
const enumeration: LintFunction = (input, options) => {
  if (input === undefined || (typeof input === 'object' && input !== null)) return []
  const values = isObject(options) && Array.isArray(options.values) ? options.values : []
  return values.includes(input)
    ? []
    : [
        {
          message: `"${String(input)}" must be equal to one of the allowed values: ${values.map((value) => JSON.stringify(value)).join(', ')}`,
        },
      ]
}

export default enumeration
