/**
 * Runs many JSONPaths in one walk. All paths are one automaton whose states are interned sets of (path, position); the
 * walk follows references as a graph and visits each node once for each state, so cycles end and shared components cost
 * nothing.
 */
import { isObject, type Json, type Path } from '../../document/json.ts'
import type { JsonPath, Selector } from './path.ts'
import type { Scope } from './expression.ts'

/** A place that a path matched. */
export interface Match {
  readonly value: Json
  readonly path: Path
  /** The key, for a path that ends in `~`. */
  readonly key: string | number | null
}

/** Where a reference leads; null where the node is none or leads nowhere. */
export type FollowReference = (node: object) => { readonly value: Json; readonly path: Path } | null

interface Item {
  readonly path: number
  readonly position: number
}

interface State {
  readonly id: number
  readonly items: readonly Item[]
  /** Paths that end here. */
  readonly accepting: readonly number[]
  readonly filters: readonly Item[]
  readonly byKey: Map<string | number, State>
  readonly isDead: boolean
}

interface Frame {
  readonly value: Json
  readonly path: Path
  readonly parent: Frame | null
}

const isStatic = ({ kind }: Selector): boolean => kind !== 'filter'

function takes(selector: Selector, key: string | number, length: number): boolean {
  switch (selector.kind) {
    case 'wildcard':
      return true
    case 'name':
      return String(key) === selector.name
    case 'index':
      return typeof key === 'number'
        ? key === (selector.index < 0 ? length + selector.index : selector.index)
        : key === String(selector.index)
    case 'slice': {
      if (typeof key !== 'number') return false
      const bound = (given: number | null, otherwise: number) =>
        given === null ? otherwise : given < 0 ? length + given : given
      const from = bound(selector.from, 0)
      return key >= from && key < bound(selector.to, length) && (key - from) % selector.step === 0
    }
    case 'filter':
      return false
  }
}

const bracketPath = (path: Path): string =>
  `$${path.map((step) => (typeof step === 'number' ? `[${step}]` : `['${step}']`)).join('')}`

/** The automaton of a list of paths. */
export class PathWalk {
  readonly #paths: readonly JsonPath[]
  readonly #states = new Map<string, State>()
  readonly #lengthSensitive: boolean

  constructor(paths: readonly JsonPath[]) {
    this.#paths = paths
    const all = paths.flatMap((path) => path.segments.flatMap((segment) => segment.selectors))
    this.#lengthSensitive = all.some((one) => one.kind === 'slice' || (one.kind === 'index' && one.index < 0))
  }

  #intern(items: readonly Item[]): State {
    const sorted = [...new Map(items.map((item) => [item.path * 1000 + item.position, item])).entries()].toSorted(
      ([a], [b]) => a - b,
    )
    const key = sorted.map(([id]) => id).join(' ')
    let state = this.#states.get(key)
    if (!state) {
      const own = sorted.map(([, item]) => item)
      const segmentOf = (item: Item) => this.#paths[item.path]?.segments[item.position]
      const accepting = own
        .filter((item) => item.position === this.#paths[item.path]?.segments.length)
        .map((item) => item.path)
      const filters = own.filter((item) => segmentOf(item)?.selectors.some((one) => one.kind === 'filter') === true)
      const isDead = own.every((item) => segmentOf(item) === undefined)
      state = { id: this.#states.size, items: own, accepting, filters, byKey: new Map(), isDead }
      this.#states.set(key, state)
    }
    return state
  }

  /** The state behind a key, filters aside; cached for each key. */
  #step(state: State, key: string | number, length: number): State {
    const cached = state.byKey.get(key)
    if (cached) return cached
    const next: Item[] = []
    for (const item of state.items) {
      const segment = this.#paths[item.path]?.segments[item.position]
      if (!segment) continue
      if (segment.descendant) next.push(item)
      if (segment.selectors.some((one) => isStatic(one) && takes(one, key, length)))
        next.push({ path: item.path, position: item.position + 1 })
    }
    const stepped = this.#intern(next)
    if (!this.#lengthSensitive || typeof key === 'string') state.byKey.set(key, stepped)
    return stepped
  }

  #withFilters(state: State, stepped: State, scope: Scope): State {
    const passed: Item[] = []
    for (const item of state.filters) {
      const segment = this.#paths[item.path]?.segments[item.position]
      if (segment?.selectors.some((one) => one.kind === 'filter' && Boolean(one.test(scope))) === true)
        passed.push({ path: item.path, position: item.position + 1 })
    }
    return passed.length === 0 ? stepped : this.#intern([...stepped.items, ...passed])
  }

  /** Walks a value and tells every match, in the order of the document. */
  run(root: Json, follow: FollowReference, onMatch: (path: number, match: Match) => void): void {
    const seen = new Map<object, Set<number>>()
    const report = (index: number, frame: Frame) => {
      const path = this.#paths[index]
      let target = frame
      for (let n = 0; n < (path?.parents ?? 0) && target.parent; n++) target = target.parent
      const key = path?.keys === true ? (target.path.at(-1) ?? null) : null
      onMatch(index, { value: key ?? target.value, path: target.path, key })
    }
    const visit = (frame: Frame, state: State): void => {
      for (const index of state.accepting) report(index, frame)
      const { value } = frame
      if (state.isDead || typeof value !== 'object' || value === null) return
      let states = seen.get(value)
      if (!states) seen.set(value, (states = new Set()))
      if (states.has(state.id)) return
      states.add(state.id)
      const isList = Array.isArray(value)
      const keys: (string | number)[] = isList ? [...value.keys()] : Object.keys(value)
      for (const key of keys) this.#child(frame, key, state, keys.length, root, follow, visit)
    }
    const start = this.#intern(this.#paths.map((_, path) => ({ path, position: 0 })))
    visit({ value: root, path: [], parent: null }, start)
  }

  #child(
    frame: Frame,
    key: string | number,
    state: State,
    length: number,
    root: Json,
    follow: FollowReference,
    visit: (frame: Frame, state: State) => void,
  ): void {
    const written = (frame.value as Record<string | number, Json>)[key] ?? null
    const place = [...frame.path, key]
    const target = isObject(written) ? follow(written) : null
    const value = target?.value ?? written
    let next = this.#step(state, key, length)
    if (state.filters.length > 0) {
      next = this.#withFilters(state, next, {
        value,
        property: key,
        parent: frame.value,
        parentProperty: frame.path.at(-1) ?? null,
        path: () => bracketPath(place),
        root,
      })
    }
    if (next.items.length === 0) return
    visit({ value, path: target?.path ?? place, parent: frame }, next)
  }
}
