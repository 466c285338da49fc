/** A merge of two documents that began as the same one, by what their parts are and not by lines. */
import { isMethod } from '../kernel/methods.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { canonicalize } from '../document/serialize.ts'
import { isEqual } from '../schema/validation/equal.ts'
import { contradictionsIn } from './meaning.ts'
import type { Contradiction } from './meaning.ts'
import { mergeOrder } from './order.ts'

/** One place that both sides changed, each otherwise. A side is null where it does not have it. */
export interface MergeConflict {
  /** Names it among the conflicts of a merge: by the names of items, where the pointers have positions. */
  readonly id: string
  /** The place in mine; where mine does not have it, in theirs; where that does not either, in base. */
  readonly pointer: string
  /** The place in each document; null where a document does not have it. */
  readonly pointers: { readonly base: string | null; readonly mine: string | null; readonly theirs: string | null }
  /** What the place belongs to: "GET /pets", "parameter limit of GET /pets", "schema Pet", "info". */
  readonly subject: string
  readonly base: Json | null
  readonly mine: Json | null
  readonly theirs: Json | null
  /** Why both cannot be as they are, where they changed different places: a conflict of meaning. */
  readonly reason?: string
}

/** Whose values a merge has at conflicts, by their ids: mine, unless something else is said. */
export interface ChosenSides {
  readonly theirs?: readonly string[]
  /** Goes before `all`. */
  readonly mine?: readonly string[]
  /** At conflicts that are not named. */
  readonly all?: 'mine' | 'theirs'
}

/**
 * - `fast-forward`: one side is as it was, so that the other one is the result
 * - `clean`: both changed, in different places, and what they made of it is whole
 * - `conflicts`: at some places both changed; the result has mine there, or theirs where that was chosen
 */
export interface Merged {
  readonly state: 'fast-forward' | 'clean' | 'conflicts'
  readonly document: Json
  readonly conflicts: readonly MergeConflict[]
}

const nothing = Symbol('nothing')
type Side = Json | typeof nothing

const isSame = (a: Side, b: Side): boolean => a === b || (a !== nothing && b !== nothing && isEqual(a, b))

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
function keyed(list: readonly Json[]): ReadonlyMap<string, readonly [at: number, item: Json]> | null {
  const items = new Map<string, readonly [number, Json]>()
  for (const [at, item] of list.entries()) {
    const key = keyOf(item)
    if (key === null || items.has(key)) return null
    items.set(key, [at, item])
  }
  return items
}

/** What a place belongs to, as people call it. `document` is one that has the place. */
function subjectOf(path: Path): string {
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

/** Where lists are values of a user, or their order counts. */
const ordered = new Set<string | number>(['prefixItems', 'example', 'examples', 'default', 'const'])

/** Whether a step is a name that someone gave, such as the status `default`, and no keyword. */
const isName = (path: Path, at: number): boolean =>
  at > 0 && (collections.has(path[at - 1]!) || typeof path[at - 1] === 'number') && !isName(path, at - 1)

const isOrdered = (path: Path): boolean => path.some((step, at) => ordered.has(step) && !isName(path, at))

/** What collects things by their names: where both sides began one, each added its own things to it. */
const collections = new Set<string | number>(
  (
    'paths webhooks components schemas responses parameters examples requestBodies headers securitySchemes links callbacks ' +
    'pathItems definitions $defs properties patternProperties dependentSchemas securityDefinitions variables content encoding ' +
    'mapping scopes tags servers steps workflows sourceDescriptions outputs'
  ).split(' '),
)

const isCollection = (path: Path): boolean =>
  // What is below a path are its operations.
  collections.has(path.at(-1) ?? '') || (path.length === 2 && (path[0] === 'paths' || path[0] === 'webhooks'))

/** A place: what leads to it by the keys of items, and where it is in each document; null: it is not there. */
interface Place {
  readonly path: Path
  readonly base: Path | null
  readonly mine: Path | null
  readonly theirs: Path | null
}

const root: Place = { path: [], base: [], mine: [], theirs: [] }

class Merge {
  readonly conflicts: MergeConflict[] = []
  readonly #takesTheirs: (id: string) => boolean

  /** @param takesTheirs whether theirs is taken at a conflict, by its id */
  constructor(takesTheirs: (id: string) => boolean) {
    this.#takesTheirs = takesTheirs
  }

  /** The value of a place, or `nothing` where it is removed. */
  value(base: Side, mine: Side, theirs: Side, place: Place): Side {
    if (isSame(mine, theirs)) return mine
    if (isSame(base, mine)) return theirs
    if (isSame(base, theirs)) return mine
    if (mine !== nothing && theirs !== nothing) {
      if (isObject(mine) && isObject(theirs) && ((base !== nothing && isObject(base)) || isCollection(place.path)))
        return this.#objects(base, mine, theirs, place)
      if (Array.isArray(mine) && Array.isArray(theirs) && !isOrdered(place.path)) {
        const merged = this.#lists(base, mine as readonly Json[], theirs as readonly Json[], place)
        if (merged !== null) return merged
      }
    }
    return this.#conflict(base, mine, theirs, place)
  }

  #conflict(base: Side, mine: Side, theirs: Side, place: Place): Side {
    const shown = (side: Side): Json | null => (side === nothing ? null : side)
    const at = (side: Side, path: Path | null): string | null =>
      side === nothing || path === null ? null : formatPointer(path)
    const pointers = {
      base: at(base, place.base),
      mine: at(mine, place.mine),
      theirs: at(theirs, place.theirs),
    }
    const id = formatPointer(place.path)
    this.conflicts.push({
      id,
      pointer: pointers.mine ?? pointers.theirs ?? pointers.base ?? '',
      pointers,
      subject: subjectOf(place.path),
      base: shown(base),
      mine: shown(mine),
      theirs: shown(theirs),
    })
    return this.#takesTheirs(id) ? theirs : mine
  }

  #objects(base: Side, mine: JsonObject, theirs: JsonObject, place: Place): JsonObject {
    const before: JsonObject = base !== nothing && isObject(base) ? base : {}
    const at = (of: JsonObject, key: string): Side => (Object.hasOwn(of, key) ? (of[key] as Json) : nothing)
    const merged: [string, Json][] = []
    // In the order of mine; what only theirs has comes after that.
    for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
      const below = (path: Path | null): Path | null => (path === null ? null : [...path, key])
      const value = this.value(at(before, key), at(mine, key), at(theirs, key), {
        path: [...place.path, key],
        base: below(place.base),
        mine: below(place.mine),
        theirs: below(place.theirs),
      })
      if (value !== nothing) merged.push([key, value])
    }
    return Object.fromEntries(merged)
  }

  /** Null: its items are recognized by their position only, or both sides moved them, so that the list is one value. */
  #lists(base: Side, mine: readonly Json[], theirs: readonly Json[], place: Place): Json | null {
    const isBegun = base !== nothing && Array.isArray(base)
    if (!isBegun && !isCollection(place.path)) return null
    const [before, left, right] = [keyed(isBegun ? (base as readonly Json[]) : []), keyed(mine), keyed(theirs)]
    if (before === null || left === null || right === null) return null
    const order = mergeOrder([...before.keys()], [...left.keys()], [...right.keys()])
    if (order === null) return null
    const at = (of: typeof before, key: string): Side => of.get(key)?.[1] ?? (of.has(key) ? null : nothing)
    const merged: Json[] = []
    for (const key of order) {
      const below = (path: Path | null, of: typeof before): Path | null => {
        const found = of.get(key)
        return path === null || found === undefined ? null : [...path, found[0]]
      }
      const value = this.value(at(before, key), at(left, key), at(right, key), {
        path: [...place.path, key],
        base: below(place.base, before),
        mine: below(place.mine, left),
        theirs: below(place.theirs, right),
      })
      if (value !== nothing) merged.push(value)
    }
    return merged
  }
}

/**
 * Merges two documents that began as `base`: objects by their properties; lists of parameters, tags, servers, steps, references
 * and scalars by what their items are; any other list as one value. What both sides added is merged where it collects things by
 * name (paths, operations of a path, components, properties), and is a conflict anywhere else. So is what only both together break:
 * a reference to what the other side removed, one operationId twice, an empty range.
 * @param chosen at which conflicts the result has theirs; at the others it has mine
 */
export function mergeDocuments(base: Json, mine: Json, theirs: Json, chosen: ChosenSides = {}): Merged {
  const [named, kept] = [new Set(chosen.theirs), new Set(chosen.mine)]
  const takesTheirs = (id: string): boolean => named.has(id) || (chosen.all === 'theirs' && !kept.has(id))
  if (isSame(base, mine)) return { state: 'fast-forward', document: theirs, conflicts: [] }
  if (isSame(base, theirs) || isSame(mine, theirs)) return { state: 'fast-forward', document: mine, conflicts: [] }
  const merge = new Merge(takesTheirs)
  const document = merge.value(base, mine, theirs, root)
  const whole = reconcile({ base, mine, theirs }, document === nothing ? mine : document, takesTheirs)
  const conflicts = [...merge.conflicts, ...whole.conflicts]
  return { state: conflicts.length > 0 ? 'conflicts' : 'clean', document: whole.document, conflicts }
}

type Sides = Readonly<Record<'base' | 'mine' | 'theirs', Json>>

/** So often a document is looked at again after the values of one side were taken. */
const mostRounds = 5

/**
 * Finds what contradicts each other in a merged document and in neither side, and takes the values of one side at all places of
 * it: so references resolve, names are used once, and ranges are not empty.
 */
function reconcile(
  sides: Sides,
  merged: Json,
  takesTheirs: (id: string) => boolean,
): { readonly document: Json; readonly conflicts: readonly MergeConflict[] } {
  const named = (of: Json): readonly (readonly [name: string, it: Contradiction])[] =>
    contradictionsIn(of).map((it) => [`${it.key} ${it.at === null ? '' : formatPointer(keysOf(of, it.at))}`, it])
  const known = new Set([...named(sides.mine), ...named(sides.theirs)].map(([name]) => name))
  const conflicts = new Map<string, MergeConflict>()
  let document = merged
  for (let round = 0; round < mostRounds; round++) {
    const fresh = named(document).filter(([name]) => !known.has(name))
    if (fresh.length === 0) break
    let next = document
    for (const [name, { key, reason, places }] of fresh) {
      known.add(name)
      const paths = places.map((path) => keysOf(document, path))
      // The place that mine did not make so is the one to look at.
      const path = paths.find((it) => !isSame(valueAt(document, it), valueAt(sides.mine, it))) ?? paths[0]!
      const conflict = conflictAt(sides, path, `${formatPointer(path)} (${key.split(' ')[0]!})`, reason)
      if (conflicts.has(conflict.id)) continue
      conflicts.set(conflict.id, conflict)
      const source = takesTheirs(conflict.id) ? sides.theirs : sides.mine
      for (const it of paths) next = orElse(taken(next, source, it), next)
    }
    document = next
  }
  return { document, conflicts: [...conflicts.values()] }
}

const orElse = (value: Side, other: Json): Json => (value === nothing ? other : value)

function conflictAt(sides: Sides, path: Path, id: string, reason: string): MergeConflict {
  const shown = (side: Json): Json | null => {
    const found = valueAt(side, path)
    return found === nothing ? null : found
  }
  const at = (side: Json): string | null =>
    valueAt(side, path) === nothing ? null : formatPointer(positionsOf(side, path))
  const pointers = { base: at(sides.base), mine: at(sides.mine), theirs: at(sides.theirs) }
  return {
    id,
    pointer: pointers.mine ?? pointers.theirs ?? pointers.base ?? '',
    pointers,
    subject: subjectOf(path),
    base: shown(sides.base),
    mine: shown(sides.mine),
    theirs: shown(sides.theirs),
    reason,
  }
}

/** A path with the keys of items instead of their positions, where they have some. */
function keysOf(document: Json, path: Path): Path {
  let at: Side = document
  return path.map((step) => {
    const list = typeof step === 'number' && at !== nothing && Array.isArray(at) ? keyed(at as readonly Json[]) : null
    const key = list === null ? step : ([...list].find(([, [position]]) => position === step)?.[0] ?? step)
    at = childOf(at, key)
    return key
  })
}

/** A path with the positions that the items have in a document. */
function positionsOf(document: Json, path: Path): Path {
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
  if (of === nothing) return nothing
  if (Array.isArray(of)) {
    const position = positionIn(of, step)
    return position === undefined || position >= of.length ? nothing : (of[position] as Json)
  }
  return isObject(of) && Object.hasOwn(of, step) ? of[step]! : nothing
}

const valueAt = (document: Json, path: Path): Side => path.reduce<Side>(childOf, document)

/** A document with the value that a source has at a place; what leads there comes with it. */
function taken(document: Side, source: Side, path: Path): Side {
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
