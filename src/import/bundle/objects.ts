/** Copies of objects with a change. */
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'

/** A copy without some keys. */
export const omit = (value: JsonObject, isLeftOut: (key: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !isLeftOut(key)))

/** A copy with a value at a path; what is missing on the way is made. */
export const insert = (value: JsonObject, [key, ...rest]: Path, leaf: Json): JsonObject => {
  const name = String(key)
  const child = value[name]
  return { ...value, [name]: rest.length === 0 ? leaf : insert(isObject(child) ? child : {}, rest, leaf) }
}
