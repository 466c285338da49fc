import { isObject } from '../../document/json.ts'
import type { LintFunction } from '../rule.ts'
import { eachOperation } from './each-operation.ts'

/** Every tag of an operation stands in the list of tags at the root. */
const tagsDefined: LintFunction = (_, __, { root }) => {
  const listed = isObject(root) && Array.isArray(root.tags) ? root.tags : []
  const names = new Set(listed.map((tag) => (isObject(tag) ? tag.name : null)))
  return eachOperation(root).flatMap(({ operation, path }) =>
    (Array.isArray(operation.tags) ? operation.tags : []).flatMap((tag, index) =>
      typeof tag === 'string' && !names.has(tag)
        ? [{ message: `"${tag}" is not described`, path: [...path, 'tags', index] }]
        : [],
    ),
  )
}

export default tagsDefined
