/**
 * Many paths as one machine: the positions of all paths form a nondeterministic automaton whose sets become states when
 * a walk first meets them. A state knows what a node matches and where each child leads.
 */
import type { Scope } from './evaluate.ts'
import type { JsonPath, Segment } from './path.ts'

interface Position {
  readonly id: number
  /** Null behind the last segment: the path matches here. */
  readonly segment: Segment | null
  readonly next: Position | null
  /** The number of the path. */
  readonly path: number
}

interface Filter {
  readonly test: (scope: Scope) => boolean
  readonly next: Position[]
}

/** Where a child leads. */
export interface Transition {
  readonly base: readonly Position[]
  /** Filters of one text are asked once. */
  readonly filters: readonly Filter[]
  /** One state for each combination of filters that hold, by bit set. */
  readonly states: Map<number, State>
  readonly only: State | null
}

export interface State {
  readonly id: number
  /** The numbers of the paths that match a node in this state. */
  readonly matches: readonly number[]
  /** No child of a node in this state can match anything. */
  readonly dead: boolean
  readonly positions: readonly Position[]
  readonly named: ReadonlySet<string>
  readonly transitions: Map<string, Transition>
  other: Transition | null
}

export class Automaton {
  readonly start: State
  private readonly states = new Map<string, State>()

  constructor(paths: readonly Pick<JsonPath, 'segments'>[]) {
    let id = 0
    const initial = paths.map(({ segments }, path) => {
      let position: Position = { id: id++, segment: null, next: null, path }
      for (const segment of segments.toReversed()) position = { id: id++, segment, next: position, path }
      return position
    })
    this.start = this.stateOf(initial)
  }

  /** How many states the walks so far have met. */
  get size(): number {
    return this.states.size
  }

  private stateOf(positions: readonly Position[]): State {
    const unique = [...new Map(positions.map((it) => [it.id, it])).values()].sort((a, b) => a.id - b.id)
    const key = unique.map((it) => it.id).join(',')
    const known = this.states.get(key)
    if (known !== undefined) return known
    const going = unique.filter((it) => it.segment !== null)
    const made: State = {
      id: this.states.size,
      matches: unique.filter((it) => it.segment === null).map((it) => it.path),
      dead: going.length === 0,
      positions: going,
      named: new Set(going.flatMap(({ segment }) => (segment?.kind === 'names' ? [...segment.names] : []))),
      transitions: new Map(),
      other: null,
    }
    this.states.set(key, made)
    return made
  }

  private transition(state: State, key: string | null): Transition {
    const base: Position[] = []
    const filters = new Map<string, Filter>()
    for (const position of state.positions) {
      const { segment, next } = position
      if (segment === null || next === null) continue
      if (segment.deep) base.push(position)
      if (segment.kind === 'any' || (segment.kind === 'names' && key !== null && segment.names.has(key)))
        base.push(next)
      else if (segment.kind === 'filter') {
        const known = filters.get(segment.text)
        if (known === undefined) filters.set(segment.text, { test: segment.test, next: [next] })
        else known.next.push(next)
      }
    }
    const only = filters.size === 0 ? this.stateOf(base) : null
    return { base, filters: [...filters.values()], states: new Map(), only }
  }

  /** Where a key leads from a state; `only` of it is the state, unless filters have to be asked. */
  edge(state: State, key: string): Transition {
    if (!state.named.has(key)) return (state.other ??= this.transition(state, null))
    let transition = state.transitions.get(key)
    if (transition === undefined) state.transitions.set(key, (transition = this.transition(state, key)))
    return transition
  }

  /** The state behind an edge with filters, by what they say of the child. */
  filtered(transition: Transition, scope: Scope): State {
    const { filters } = transition
    // More filters than a number can tell combinations of: the state is looked up by its positions.
    if (filters.length > 50)
      return this.stateOf([...transition.base, ...filters.flatMap(({ test, next }) => (test(scope) ? next : []))])
    // One bit for each filter; doubling keeps whole numbers exact for more filters than bits of an integer.
    let key = 0
    for (const { test } of filters) key = key * 2 + (test(scope) ? 1 : 0)
    let state = transition.states.get(key)
    if (state === undefined) {
      const held = filters.flatMap(({ next }, at) =>
        Math.floor(key / 2 ** (filters.length - 1 - at)) % 2 === 1 ? next : [],
      )
      state = this.stateOf([...transition.base, ...held])
      transition.states.set(key, state)
    }
    return state
  }
}
