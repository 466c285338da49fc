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

/**
 * The members that an update gives an object, merged with those of the same names.
 * @param path where the object is, below the node of the action
 * @throws UpdateMismatch where one is of another kind
 */
export const mergedMembers = (node: JsonObject, update: JsonObject, path: Path = []): readonly [string, Json][] =>
  Object.entries(update).map(([key, value]) => [
    key,
    Object.hasOwn(node, key) ? mergedInside(node[key]!, value, [...path, key]) : value,
  ])

const mergedObjects = (node: JsonObject, update: JsonObject, path: Path): JsonObject =>
  Object.fromEntries([...Object.entries(node), ...mergedMembers(node, update, path)])

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
