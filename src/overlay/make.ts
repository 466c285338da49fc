/** The overlay that turns one document into another. */
import { SvcError } from '../errors.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { getPath } from '../kernel/pointer.ts'
import { alignLists } from '../patch/align.ts'
import { copiesFor, type Copy, type Placed } from './copies.ts'
import { nodeKindOf } from './merge-update.ts'
import { queryOf, queryOfChildren } from './write-query.ts'

/** An action as it is written in an overlay. */
export type WrittenAction = { readonly target: string } & (
  | { readonly update: Json }
  | { readonly copy: string }
  | { readonly remove: true }
)

/** What an overlay says of itself. */
export interface OverlayInfo {
  readonly title: string
  readonly version: string
  /** The document that it is for; null to name none. */
  readonly extends: string | null
}

/** What an update does not change. */
const nothing = Symbol('nothing')
type Update = Json | typeof nothing

/** Finds the actions: first what is removed, at the places of the base, inner nodes first; then what is updated. */
class Comparison {
  readonly removals: WrittenAction[] = []
  /** Updates of items of lists, which no update of the list around them reaches. */
  readonly items: WrittenAction[] = []
  /** What has a new key, at its place in the base. */
  readonly added: Placed[] = []
  /** What has no key any more. */
  readonly gone: Placed[] = []

  /**
   * The update that makes one value of another of the same kind.
   * @param path in the base
   * @param now the place after the removals
   */
  update(path: Path, now: Path, before: Json, after: Json): Update {
    if (isObject(before) && isObject(after)) return this.#map(path, now, before, after)
    if (Array.isArray(before) && Array.isArray(after)) return this.#list(path, now, before, after)
    return Object.is(before, after) ? nothing : after
  }

  #map(path: Path, now: Path, before: JsonObject, after: JsonObject): Update {
    const removed: string[] = []
    const update = new Map<string, Json>()
    for (const [key, old] of Object.entries(before)) {
      const value = Object.hasOwn(after, key) ? after[key]! : undefined
      if (value === undefined || nodeKindOf(old) !== nodeKindOf(value)) removed.push(key)
      if (value === undefined) {
        this.gone.push({ path: [...path, key], value: old })
        continue
      }
      const inner =
        nodeKindOf(old) === nodeKindOf(value) ? this.update([...path, key], [...now, key], old, value) : value
      if (inner !== nothing) update.set(key, inner)
    }
    for (const [key, value] of Object.entries(after)) {
      if (Object.hasOwn(before, key)) continue
      update.set(key, value)
      this.added.push({ path: [...path, key], value })
    }
    this.#remove(path, removed)
    return update.size === 0 ? nothing : Object.fromEntries(update)
  }

  #list(path: Path, now: Path, before: readonly Json[], after: readonly Json[]): Update {
    const removed: number[] = []
    const added: Json[] = []
    let kept = 0
    for (const step of alignLists(before, after)) {
      const [old, value] = [step.before, step.after]
      // An update adds to the end: what follows the first item that is new is added again.
      const isPaired =
        old !== null && value !== null && added.length === 0 && nodeKindOf(before[old]!) === nodeKindOf(after[value]!)
      if (isPaired) {
        const at = [...now, kept++]
        const inner = this.update([...path, old], at, before[old]!, after[value]!)
        if (inner !== nothing) this.items.push(targeted(at, inner, withoutRemoved(before[old]!, after[value]!)))
        continue
      }
      if (old !== null) removed.push(old)
      if (value !== null) added.push(after[value]!)
    }
    this.#remove(path, removed)
    return added.length === 0 ? nothing : added
  }

  #remove(path: Path, steps: readonly (string | number)[]): void {
    if (steps.length > 0) this.removals.push({ target: queryOfChildren(path, steps), remove: true })
  }
}

/** An update at the deepest place that holds all of it: a map of one entry that is there already is only the way to it. */
function targeted(path: Path, update: Json, before: Json): WrittenAction {
  let [at, put, old] = [path, update, before]
  for (;;) {
    const [only, ...more] = isObject(put) ? Object.entries(put) : []
    if (only === undefined || more.length > 0 || !isObject(old) || !Object.hasOwn(old, only[0])) break
    const [key, value] = only
    const inside = old[key]!
    // A single value is replaced by its object, which Overlay 1.0 allows too.
    if (typeof inside !== 'object' || inside === null || nodeKindOf(inside) !== nodeKindOf(value)) break
    ;[at, put, old] = [[...at, key], value, inside]
  }
  return { target: queryOf(at), update: put }
}

/** The actions of a comparison: what is removed first. */
function actionsOf(comparison: Comparison, base: Json, head: Json): readonly WrittenAction[] {
  const update = comparison.update([], [], base, head)
  const { removals, items } = comparison
  const rest = update === nothing ? [] : [targeted([], update, withoutRemoved(base, head))]
  return [...removals, ...items, ...rest]
}

const sizeOf = (actions: readonly WrittenAction[]): number => JSON.stringify(actions).length

/** A value with another one at a place, and all that leads there. */
function withNode(value: Json | undefined, [step, ...rest]: Path, put: Json): Json {
  if (step === undefined) return put
  if (Array.isArray(value))
    return (value as readonly Json[]).map((it, at) => (at === step ? withNode(it, rest, put) : it))
  const members = value !== undefined && isObject(value) ? value : {}
  const inner = Object.hasOwn(members, step) ? members[String(step)] : undefined
  return Object.fromEntries([...Object.entries(members), [String(step), withNode(inner, rest, put)]])
}

/** The empty nodes that copies are merged into, and the copies. An update is for one object: lists have one of their own. */
function copyActions(base: Json, copies: readonly Copy[]): readonly WrittenAction[] {
  const updates = new Map<string, { readonly path: Path; readonly update: Json }>()
  for (const { to, value } of copies) {
    const split = to.findLastIndex((it) => typeof it === 'number') + 1
    const [path, inside] = [to.slice(0, split), to.slice(split)]
    const update = updates.get(queryOf(path))?.update ?? {}
    updates.set(queryOf(path), { path, update: withNode(update, inside, Array.isArray(value) ? [] : {}) })
  }
  return [
    ...Array.from(updates.values(), ({ path, update }) => targeted(path, update, getPath(base, path) ?? null)),
    ...copies.map(({ from, to }) => ({ target: queryOf(to), copy: queryOf(from) })),
  ]
}

/**
 * The actions that turn one value into another: few and small. What got another name or place is copied first, where that is smaller than
 * its content; then comes what is removed, then items of lists, then the rest in one update at the deepest place that holds it.
 * @throws SvcError `usage` where the values are of different kinds: no action replaces the root
 */
export function actionsBetween(base: Json, head: Json): readonly WrittenAction[] {
  if (nodeKindOf(base) !== nodeKindOf(head))
    throw new SvcError('usage', {
      reason: 'BASE and HEAD are of different kinds (object, list, single value); no overlay replaces a whole document',
    })
  const comparison = new Comparison()
  const plain = actionsOf(comparison, base, head)
  const costOf = (before: Json, after: Json): number => sizeOf(actionsOf(new Comparison(), before, after))
  const copies = copiesFor(base, comparison.added, comparison.gone, costOf)
  if (copies.length === 0) return plain
  const copied = copies.reduce((it, { to, value }) => withNode(it, to, value), base)
  const actions = [...copyActions(base, copies), ...actionsOf(new Comparison(), copied, head)]
  return sizeOf(actions) < sizeOf(plain) ? actions : plain
}

/** The base without what changes its kind or goes away: only what stays is a way to a deeper place. */
function withoutRemoved(base: Json, head: Json): Json {
  if (!isObject(base) || !isObject(head)) return base
  const kept = Object.entries(base).flatMap(([key, value]): [string, Json][] => {
    const now = Object.hasOwn(head, key) ? head[key]! : undefined
    return now === undefined || nodeKindOf(now) !== nodeKindOf(value) ? [] : [[key, withoutRemoved(value, now)]]
  })
  return Object.fromEntries(kept)
}

/**
 * The overlay (1.1) that turns one value into another. Equal values have an overlay of one action that changes nothing, as an overlay
 * has at least one.
 * @throws SvcError as `actionsBetween` does
 */
export function makeOverlay(base: Json, head: Json, info: OverlayInfo): JsonObject {
  const actions = actionsBetween(base, head)
  const { title, version, extends: target } = info
  return {
    overlay: '1.1.0',
    info: { title, version },
    ...(target === null ? {} : { extends: target }),
    actions: actions.length === 0 ? [{ target: '$', update: isObject(base) ? {} : [] }] : actions,
  }
}
