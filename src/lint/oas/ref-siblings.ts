import { isObject } from '../../kernel/json.ts'
import { getPath } from '../../kernel/pointer.ts'
import type { LintFunction } from '../rule.ts'

/** "$ref" has no siblings; each one is reported. */
const refSiblings: LintFunction = (_input, _options, { root, path }) => {
  const base = path.slice(0, -1)
  const holder = getPath(root, base)
  if (!isObject(holder)) return []
  return Object.keys(holder)
    .filter((key) => key !== '$ref')
    .map((key) => ({ message: '$ref must not be placed next to any other properties', path: [...base, key] }))
}
export default refSiblings
