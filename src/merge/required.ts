/** What a merged schema requires of a property that only one side still has. */
import { isObject, listOf, objectOf, type Json, type JsonObject } from '../kernel/json.ts'

/** A merged object; a property that one side removed and the merge has is required if the other side requires it. */
export function withRequired(base: JsonObject, mine: JsonObject, theirs: JsonObject, merged: JsonObject): JsonObject {
  if (!isObject(base.properties) || !isObject(merged.properties)) return merged
  const [left, right] = [objectOf(mine.properties), objectOf(theirs.properties)]
  const kept = Object.keys(base.properties).filter(
    (name) =>
      Object.hasOwn(left, name) !== Object.hasOwn(right, name) && Object.hasOwn(objectOf(merged.properties), name),
  )
  const missing = kept.filter((name) => {
    const holder = Object.hasOwn(left, name) ? mine : theirs
    return listOf(holder.required).includes(name) && !listOf(merged.required).includes(name)
  })
  if (missing.length === 0) return merged
  const required: readonly Json[] = [...listOf(merged.required), ...missing]
  return { ...merged, required }
}
