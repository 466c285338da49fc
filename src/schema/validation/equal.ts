import { isExact } from '../../document/exact.ts'
import { isObject, type Json } from '../../kernel/json.ts'
import { canonical } from '../node.ts'

/** Whether two JSON values are equal: objects by members whatever their order, numbers by value. */
export function isEqual(a: Json, b: Json): boolean {
  if (a === b) return true
  if (isExact(a) || isExact(b)) return isExact(a) && isExact(b) && a.text === b.text
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((it, at) => isEqual(it, b[at]))
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key] as Json, b[key] as Json))
}

/** Longer lists are looked up by the texts of their values. */
const long = 50
const indexes = new WeakMap<readonly Json[], ReadonlySet<string>>()

/** Whether a value is equal to one of a list. */
export function isListed(list: readonly Json[], value: Json): boolean {
  if (list.length < long) return list.some((it) => isEqual(it, value))
  let index = indexes.get(list)
  if (!index) indexes.set(list, (index = new Set(list.map(canonical))))
  return index.has(canonical(value))
}
