/** A merge of two documents that began as the same one, by what their parts are and not by lines. */
import { isObject, type Json, type JsonObject, type Path } from '../document/json.ts'
import { formatPointer } from '../document/pointer.ts'
import { canonicalize } from '../document/serialize.ts'

/** One place that both sides changed, each otherwise. A side is null where it removed it. */
export interface MergeConflict {
  readonly pointer: string
  /** What the place belongs to: "GET /pets", "parameter limit of GET /pets", "schema Pet", "info". */
  readonly subject: string
  readonly base: Json | null
  readonly mine: Json | null
  readonly theirs: Json | null
}

/**
 * - `fast-forward`: one side is as it was, so that the other one is the result
 * - `clean`: both changed, in different places
 * - `conflicts`: at some places both changed; the result has mine there
 */
export interface Merged {
  readonly state: 'fast-forward' | 'clean' | 'conflicts'
  readonly document: Json
  readonly conflicts: readonly MergeConflict[]
}

const nothing = Symbol('nothing')
type Side = Json | typeof nothing

const isSame = (a: Side, b: Side): boolean =>
  a === b || (a !== nothing && b !== nothing && canonicalize(a) === canonicalize(b))

/** By what the items of a list are recognized, whatever their position; null where it is an ordinary list. */
function keyOf(item: Json): string | null {
  if (typeof item !== 'object') return canonicalize(item)
  if (item === null || !isObject(item)) return null
  const text = (name: string): string | null => (typeof item[name] === 'string' ? item[name] : null)
  const ref = text('$ref')
  if (ref !== null) return `$ref ${ref}`
  const id = text('stepId') ?? text('workflowId') ?? text('operationId') ?? text('url')
  if (id !== null) return `id ${id}`
  const name = text('name')
  return name === null ? null : `name ${name} ${text('in') ?? ''}`
}

/** The items of a list by their keys; null where an item has none, or two have the same. */
function keyed(list: readonly Json[]): ReadonlyMap<string, Json> | null {
  const items = new Map<string, Json>()
  for (const item of list) {
    const key = keyOf(item)
    if (key === null || items.has(key)) return null
    items.set(key, item)
  }
  return items
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

/** What a place belongs to, as people call it. `document` is one that has the place. */
function subjectOf(path: Path): string {
  const [first, second, third] = path.map(String)
  if (first === undefined) return 'document'
  if ((first === 'paths' || first === 'webhooks') && second !== undefined) {
    const isOperation = third !== undefined && methods.has(third)
    const operation = isOperation ? `${third.toUpperCase()} ${second}` : `path ${second}`
    const at = path.indexOf('parameters')
    const parameter =
      at > 0 && typeof path[at + 1] === 'string'
        ? String(path[at + 1])
            .replace(/^name /, '')
            .split(' ')[0]
        : null
    return parameter === null || parameter === undefined ? operation : `parameter ${parameter} of ${operation}`
  }
  if (first === 'components' && second === 'schemas' && third !== undefined) return `schema ${third}`
  if ((first === 'definitions' || first === '$defs') && second !== undefined) return `schema ${second}`
  if (first === 'components' && third !== undefined) return `${second ?? ''} ${third}`
  return first
}

/** Where lists are values of a user, or their order counts. */
const ordered = new Set<string | number>(['prefixItems', 'example', 'examples', 'default', 'const'])

class Merge {
  readonly conflicts: MergeConflict[] = []

  /** The value of a place, or `nothing` where it is removed. */
  value(base: Side, mine: Side, theirs: Side, path: Path): Side {
    if (isSame(mine, theirs)) return mine
    if (isSame(base, mine)) return theirs
    if (isSame(base, theirs)) return mine
    if (mine !== nothing && theirs !== nothing) {
      if (isObject(mine) && isObject(theirs)) return this.#objects(base, mine, theirs, path)
      if (Array.isArray(mine) && Array.isArray(theirs) && !path.some((step) => ordered.has(step))) {
        const merged = this.#lists(base, mine as readonly Json[], theirs as readonly Json[], path)
        if (merged !== null) return merged
      }
    }
    this.#conflict(base, mine, theirs, path)
    return mine
  }

  #conflict(base: Side, mine: Side, theirs: Side, path: Path): void {
    const shown = (side: Side): Json | null => (side === nothing ? null : side)
    this.conflicts.push({
      pointer: formatPointer(
        path.map((step) => (typeof step === 'string' ? step.replace(/^(?:name|id|\$ref) /, '').trim() : step)),
      ),
      subject: subjectOf(path),
      base: shown(base),
      mine: shown(mine),
      theirs: shown(theirs),
    })
  }

  #objects(base: Side, mine: JsonObject, theirs: JsonObject, path: Path): JsonObject {
    const before: JsonObject = base !== nothing && isObject(base) ? base : {}
    const at = (of: JsonObject, key: string): Side => (Object.hasOwn(of, key) ? (of[key] as Json) : nothing)
    const merged: [string, Json][] = []
    // In the order of mine; what only theirs has comes after that.
    for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
      const value = this.value(at(before, key), at(mine, key), at(theirs, key), [...path, key])
      if (value !== nothing) merged.push([key, value])
    }
    return Object.fromEntries(merged)
  }

  /** Null: its items are recognized by their position only, so that the list is one value. */
  #lists(base: Side, mine: readonly Json[], theirs: readonly Json[], path: Path): Json | null {
    const [before, left, right] = [
      base !== nothing && Array.isArray(base) ? keyed(base as readonly Json[]) : new Map<string, Json>(),
      keyed(mine),
      keyed(theirs),
    ]
    if (before === null || left === null || right === null) return null
    const at = (of: ReadonlyMap<string, Json>, key: string): Side => of.get(key) ?? (of.has(key) ? null : nothing)
    const merged: Json[] = []
    for (const key of new Set([...left.keys(), ...right.keys()])) {
      const value = this.value(at(before, key), at(left, key), at(right, key), [...path, key])
      if (value !== nothing) merged.push(value)
    }
    return merged
  }
}

/**
 * Merges two documents that began as `base`: objects by their properties; lists of parameters, tags, servers, steps, references
 * and scalars by what their items are; any other list as one value.
 */
export function mergeDocuments(base: Json, mine: Json, theirs: Json): Merged {
  if (isSame(base, mine)) return { state: 'fast-forward', document: theirs, conflicts: [] }
  if (isSame(base, theirs) || isSame(mine, theirs)) return { state: 'fast-forward', document: mine, conflicts: [] }
  const merge = new Merge()
  const document = merge.value(base, mine, theirs, [])
  const { conflicts } = merge
  return {
    state: conflicts.length > 0 ? 'conflicts' : 'clean',
    document: document === nothing ? mine : document,
    conflicts,
  }
}
