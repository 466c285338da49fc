/** What an update makes of a node (Overlay 1.1, section "Action Object"). */
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'

/** Why an update does not fit the node that it is for. */
export class UpdateMismatch extends Error {
  /** Below the node. */
  readonly path: Path
  constructor(reason: string, path: Path) {
    super(reason)
    this.path = path
  }
}

const kindOf = (value: Json): 'object' | 'list' | 'scalar' => {
  if (Array.isArray(value)) return 'list'
  return isObject(value) ? 'object' : 'scalar'
}

const words = { object: 'an object', list: 'a list', scalar: 'a single value' } as const

function mergedObjects(node: JsonObject, update: JsonObject, path: Path): JsonObject {
  const merged = new Map(Object.entries(node))
  for (const [key, value] of Object.entries(update)) {
    const before = merged.get(key)
    merged.set(key, before === undefined ? value : mergedInside(before, value, [...path, key]))
  }
  return Object.fromEntries(merged)
}

function mergedInside(node: Json, update: Json, path: Path): Json {
  const [kind, given] = [kindOf(node), kindOf(update)]
  if (kind !== given) throw new UpdateMismatch(`it is ${words[kind]}, and the update ${words[given]}`, path)
  if (isObject(node) && isObject(update)) return mergedObjects(node, update, path)
  if (kind === 'list') return [...(node as readonly Json[]), ...(update as readonly Json[])]
  return update
}

/**
 * A node after an update: objects are merged, lists get more items, a single value is replaced.
 * @throws UpdateMismatch where the update is of another kind
 */
export function mergeUpdate(node: Json, update: Json): Json {
  if (Array.isArray(node))
    return [...(node as readonly Json[]), ...(Array.isArray(update) ? (update as readonly Json[]) : [update])]
  return mergedInside(node, update, [])
}

/** Of what kind a node is; all that one update or copy selects have to be of one. */
export const nodeKindOf = kindOf
