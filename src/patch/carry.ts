/** A patch that was made for one document, for another one that it became. */
import { keyOf } from '../anchors/key.ts'
import { reanchor } from '../anchors/reanchor.ts'
import type { Json } from '../kernel/json.ts'
import { formatPointer, getPath, parsePointer } from '../kernel/pointer.ts'
import { canonicalize } from '../document/serialize.ts'
import { PatchRefused, targetOf, type JsonPatch } from './json-patch.ts'

const isSame = (a: Json | undefined, b: Json | undefined): boolean =>
  canonicalize(a ?? null) === canonicalize(b ?? null)

/**
 * The patch with the places that its pointers have now. Only patches whose operations touch nothing that changed since are
 * carried over.
 * @throws PatchRefused where a place is not certain any more, or has another content
 */
export function carryPatch(base: Json, head: Json, patch: JsonPatch): JsonPatch {
  return patch.map((operation, at) => {
    const target = targetOf(base, operation, at)
    const isAdded = operation.op === 'add'
    // A new entry depends on what is around it, a change on what is replaced.
    const path = target === null ? [] : isAdded ? target.container : [...target.container, target.step]
    const key = keyOf(base, path)
    const [place] = reanchor(base, head, [{ key, nodeDigest: '', lastKey: key }])
    if (place?.state !== 'anchored') throw new PatchRefused(at, `"${operation.path}" is not where it was`)
    const now = parsePointer(place.pointer) ?? []
    if (!isAdded) {
      if (!isSame(getPath(base, path), getPath(head, now)))
        throw new PatchRefused(at, `"${operation.path}" was changed since`)
      if (operation.op !== 'move') return { ...operation, path: place.pointer }
      const around = place.pointer.slice(0, place.pointer.lastIndexOf('/'))
      return {
        ...operation,
        from: place.pointer,
        path: `${around}${operation.path.slice(operation.path.lastIndexOf('/'))}`,
      }
    }
    const step = target?.step ?? ''
    const [before, after] = [getPath(base, path), getPath(head, now)]
    const isUnchanged =
      typeof step === 'number' ? isSame(before, after) : isSame(childOf(before, step), childOf(after, step))
    if (!isUnchanged) throw new PatchRefused(at, `"${operation.path}" was changed since`)
    return { ...operation, path: `${place.pointer}${formatPointer([step])}` }
  })
}

const childOf = (node: Json | undefined, step: string): Json | undefined =>
  node === undefined || node === null || typeof node !== 'object' || Array.isArray(node)
    ? undefined
    : (node as Record<string, Json>)[step]
