/** Places in documents by the names of items, where a list has some, and what is there. */
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { isMethod } from '../kernel/methods.ts'
import { canonicalize } from '../document/serialize.ts'
import { isEqual } from '../schema/validation/equal.ts'

/** What a side does not have. */
export const nothing = Symbol('nothing')
/** What a document has at a place. */
export type Side = Json | typeof nothing

export const isSame = (a: Side, b: Side): boolean => a === b || (a !== nothing && b !== nothing && isEqual(a, b))

/** What a side has, else something else. */
export const orElse = (value: Side, other: Json): Json => (value === nothing ? other : value)

/** By what the items of a list are recognized, whatever their position; null where it is an ordinary list. */
function keyOf(item: Json): string | null {
  if (typeof item !== 'object') return canonicalize(item)
  if (!isObject(item)) return null
  const text = (name: string): string | null => (typeof item[name] === 'string' ? item[name] : null)
  const ref = text('$ref')
  if (ref !== null) return `$ref ${ref}`
  const id = text('stepId') ?? text('workflowId') ?? text('operationId') ?? text('url')
  if (id !== null) return `id ${id}`
  const name = text('name')
  return name === null ? null : `name ${name} ${text('in') ?? ''}`
}

/** The items of a list by their keys, with their positions; null where an item has no key, or two have the same. */
export function keyed(list: readonly Json[]): ReadonlyMap<string, readonly [at: number, item: Json]> | null {
  const items = new Map<string, readonly [number, Json]>()
  for (const [at, item] of list.entries()) {
    const key = keyOf(item)
    if (key === null || items.has(key)) return null
    items.set(key, [at, item])
  }
  return items
}

/** What a place belongs to, as people call it. `document` is one that has the place. */
export function subjectOf(path: Path): string {
  const [first, second, third] = path.map(String)
  if (first === undefined) return 'document'
  if ((first === 'paths' || first === 'webhooks') && second !== undefined) {
    const isOperation = third !== undefined && isMethod(third)
    const operation = isOperation ? `${third.toUpperCase()} ${second}` : `path ${second}`
    const at = path.indexOf('parameters')
    // The key of an item of a list; a property of that name leads elsewhere.
    const parameter = at === -1 ? undefined : /^name (\S+)/.exec(String(path[at + 1]))?.[1]
    return parameter === undefined ? operation : `parameter ${parameter} of ${operation}`
  }
  if (first === 'components' && second === 'schemas' && third !== undefined) return `schema ${third}`
  if ((first === 'definitions' || first === '$defs') && second !== undefined) return `schema ${second}`
  if (first === 'components' && third !== undefined) return `${second ?? ''} ${third}`
  return first
}

/** A path with the keys of items instead of their positions, where they have some. */
export function keysOf(document: Json, path: Path): Path {
  let at: Side = document
  return path.map((step) => {
    const list = typeof step === 'number' && Array.isArray(at) ? keyed(at as readonly Json[]) : null
    const key = list === null ? step : ([...list].find(([, [position]]) => position === step)?.[0] ?? step)
    at = childOf(at, key)
    return key
  })
}

/** A path with the positions that the items have in a document. */
export function positionsOf(document: Json, path: Path): Path {
  let at: Side = document
  return path.map((step) => {
    const position = positionIn(at, step)
    at = childOf(at, step)
    return position ?? step
  })
}

function positionIn(of: Side, step: string | number): number | undefined {
  if (of === nothing || !Array.isArray(of)) return undefined
  return typeof step === 'number' ? step : keyed(of as readonly Json[])?.get(step)?.[0]
}

function childOf(of: Side, step: string | number): Side {
  if (Array.isArray(of)) {
    const position = positionIn(of, step)
    return position === undefined || position >= of.length ? nothing : (of[position] as Json)
  }
  return isObject(of) && Object.hasOwn(of, step) ? of[step]! : nothing
}

/** What a document has at a place that the keys of items lead to. */
export const valueAt = (document: Json, path: Path): Side => path.reduce<Side>(childOf, document)

/** A document with the value that a source has at a place; what leads there comes with it. */
export function taken(document: Side, source: Side, path: Path): Side {
  const [step, ...rest] = path
  if (step === undefined || document === nothing) return source
  const value = taken(childOf(document, step), childOf(source, step), rest)
  if (Array.isArray(document)) {
    const list = document as readonly Json[]
    const position = positionIn(document, step) ?? list.length
    return [...list.slice(0, position), ...(value === nothing ? [] : [value]), ...list.slice(position + 1)]
  }
  if (!isObject(document)) return source === nothing ? document : source
  if (value !== nothing) return { ...document, [step]: value }
  return Object.fromEntries(Object.entries(document).filter(([key]) => key !== step))
}
