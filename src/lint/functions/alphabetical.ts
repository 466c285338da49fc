import { isObject, type Json } from '../../document/json.ts'
import type { LintFunction } from '../rule.ts'

/** Lists, or keys of objects, stand in alphabetical order; lists of objects by `keyedBy`. */
const alphabetical: LintFunction = (input, options, { document, path }) => {
  const key = isObject(options) && typeof options.keyedBy === 'string' ? options.keyedBy : null
  const values = Array.isArray(input) ? (input as readonly Json[]) : isObject(input) ? document.keysInOrder(path) : []
  const names = values.map((value) => (key !== null && isObject(value) ? value[key] : value))
  for (const [index, name] of names.entries()) {
    const next = names[index + 1]
    if (next === undefined || String(name) <= String(next)) continue
    const place = Array.isArray(input) ? index : String(values[index])
    const message =
      key === null
        ? `"${String(name)}" must be placed after "${String(next)}"`
        : 'properties must follow the alphabetical order'
    return [{ message, path: [...path, place] }]
  }
  return []
}

export default alphabetical
