import { isObject } from '../../document/json.ts'
import { getPath } from '../../document/pointer.ts'
import type { LintFunction } from '../rule.ts'

/** Nothing stands beside a `$ref`. The input is the value of `$ref`. */
const refSiblings: LintFunction = (input, _, { root, path }) => {
  const node = getPath(root, path.slice(0, -1))
  // A property that is named $ref is no reference.
  if (typeof input !== 'string' || !isObject(node) || path.at(-2) === 'properties') return []
  return Object.keys(node)
    .filter((key) => key !== '$ref')
    .map((key) => ({
      message: `$ref must not be placed next to any other properties`,
      path: [...path.slice(0, -1), key],
    }))
}

export default refSiblings
