import type { Json, JsonObject } from '../kernel/json.ts'

/** Those of `names` that the object has, in its own order. */
export const presentProperties = (object: JsonObject, names: readonly Json[]): readonly string[] =>
  Object.keys(object).filter((key) => names.includes(key))

/** That one of `names` is missing; long lists are cut. */
export function namedProperties(names: readonly Json[]): string {
  if (names.length <= 4) return `At least one of "${names.join('" or "')}" must be defined`
  return `At least one of "${names.slice(0, 3).join('" or "')}" or ${names.length - 3} other properties must be defined`
}
