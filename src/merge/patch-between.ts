import { isObject, type Json, type Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { canonicalize } from '../document/serialize.ts'
import type { PatchOperation } from '../patch/json-patch.ts'

/** The changes that make one value of another: properties one by one, lists of another length as a whole. */
export function patchBetween(from: Json, to: Json, path: Path = []): PatchOperation[] {
  if (canonicalize(from) === canonicalize(to)) return []
  if (isObject(from) && isObject(to)) {
    const removed = Object.keys(from)
      .filter((key) => !Object.hasOwn(to, key))
      .map((key): PatchOperation => ({ op: 'remove', path: formatPointer([...path, key]) }))
    const kept = Object.keys(to).flatMap((key) => {
      const at = [...path, key]
      return Object.hasOwn(from, key)
        ? patchBetween(from[key] as Json, to[key] as Json, at)
        : [{ op: 'add', path: formatPointer(at), value: to[key] as Json } as const]
    })
    return [...removed, ...kept]
  }
  const [left, right] = [from as readonly Json[], to as readonly Json[]]
  if (Array.isArray(from) && Array.isArray(to) && left.length === right.length)
    return left.flatMap((item, at) => patchBetween(item, right[at] as Json, [...path, at]))
  return [{ op: 'replace', path: formatPointer(path), value: to }]
}
