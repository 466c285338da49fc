import { isObject } from '../../document/json.ts'
import { formatFragment, parseFragment } from '../../document/pointer.ts'
import { findReferences } from '../../document/reference.ts'
import type { LintFunction } from '../rule.ts'

/** Components that are referred to by name rather than by `$ref`. */
const byName = new Set(['securitySchemes', 'pathItems'])

/** Every entry of `components` is referred to from somewhere; extensions and security schemes aside. */
const unusedComponents: LintFunction = (_, __, { root }) => {
  if (!isObject(root) || !isObject(root.components)) return []
  const used = new Set<string>()
  for (const { ref } of findReferences(root)) {
    const steps = ref.startsWith('#') ? parseFragment(ref) : null
    if (steps) used.add(formatFragment(steps.slice(0, 3)))
  }
  return Object.entries(root.components).flatMap(([kind, entries]) => {
    if (byName.has(kind) || kind.startsWith('x-') || !isObject(entries)) return []
    return Object.keys(entries).flatMap((name) => {
      const path = ['components', kind, name]
      return used.has(formatFragment(path)) ? [] : [{ message: `"${name}" is not used`, path }]
    })
  })
}

export default unusedComponents
