import type { Json } from '../kernel/json.ts'
import { getPointer } from '../kernel/pointer.ts'
import { findUnused } from '../document/unused-definitions.ts'
import { isSameValue } from './sameness.ts'

/**
 * The components that differ although no operation uses them, neither before nor after: nothing that a comparison looks at.
 * @returns their JSON Pointers, sorted
 */
export function unusedDifferences(base: Json, head: Json): readonly string[] {
  const [before, after] = [findUnused(base), findUnused(head)]
  return [...before.union(after)]
    .filter((pointer) => {
      const [a, b] = [getPointer(base, pointer), getPointer(head, pointer)]
      if (a === undefined || b === undefined) return true
      // What one side uses was compared there.
      return before.has(pointer) && after.has(pointer) && !isSameValue(a, b)
    })
    .toSorted()
}
