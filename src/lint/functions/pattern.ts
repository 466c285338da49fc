import { isObject } from '../../document/json.ts'
import type { LintFunction } from '../rule.ts'

const compiled = new Map<string, RegExp>()

// "/…/flags" or the bare source.
function toRegex(text: string): RegExp {
  let regex = compiled.get(text)
  if (!regex) {
    const match = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text)
    regex = match ? new RegExp(match[1] ?? '', (match[2] ?? '').replaceAll(/[gy]/g, '')) : new RegExp(text)
    compiled.set(text, regex)
  }
  return regex
}

/** Texts match `match` and do not match `notMatch`. */
const pattern: LintFunction = (input, options) => {
  if (typeof input !== 'string' || !isObject(options)) return []
  const { match, notMatch } = options
  if (typeof match === 'string' && !toRegex(match).test(input))
    return [{ message: `"${input}" must match the pattern "${match}"` }]
  if (typeof notMatch === 'string' && toRegex(notMatch).test(input))
    return [{ message: `"${input}" must not match the pattern "${notMatch}"` }]
  return []
}

export default pattern
