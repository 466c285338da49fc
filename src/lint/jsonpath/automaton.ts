/**
 * Many paths as one machine: the positions of all paths form a nondeterministic automaton whose sets become states when
 * a walk first meets them. A state knows what a node matches and where each child leads.
 */
import { isObject, type Json } from '../../kernel/json.ts'
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
  /** It holds only of objects with one of these members; null where it may hold of anything. */
  readonly members: readonly string[] | null
}

/** Whether a value is an object that may have one of the members; yes for a few inherited names too. */
const mayHave = (value: Json, members: readonly string[]): boolean => {
  if (!isObject(value)) return false
  for (const member of members) if (value[member] !== undefined) return true
  return false
}

/** Where a child leads. */
export interface Transition {
  readonly base: readonly Position[]
  /** Filters of one text are asked once. */
  readonly filters: readonly Filter[]
  /** One state for each combination of filters that hold, by bit set. */
  readonly states: Map<number, State>
  /** The state behind the edge where no filter holds. */
  readonly plain: State
  /** No filter holds of anything but objects with one of these members; null where some may. Empty without filters. */
  readonly members: readonly string[] | null
}

export interface State {
  readonly id: number
  /** The numbers of the paths that match a node in this state. */
  readonly matches: readonly number[]
  /** No child of a node in this state can match anything. */
  readonly dead: boolean
  readonly positions: readonly Position[]
  /** The keys that lead elsewhere than others do. */
  readonly named: ReadonlySet<string>
  /** Some of them may be indexes of a list. */
  readonly indexed: boolean
  readonly transitions: Map<string, Transition>
  other: Transition | null
}

const namesOf = (segment: Segment | null): ReadonlySet<string> =>
  (segment?.kind === 'names' ? segment.names : segment?.kind === 'filter' ? segment.presupposed.properties : null) ??
  new Set()

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
    const named = new Set(going.flatMap(({ segment }) => [...namesOf(segment)]))
    const made: State = {
      id: this.states.size,
      matches: unique.filter((it) => it.segment === null).map((it) => it.path),
      dead: going.length === 0,
      positions: going,
      named,
      indexed: [...named].some((it) => /^\d+$/.test(it)),
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
        const { members, properties } = segment.presupposed
        if (properties !== null && (key === null || !properties.has(key))) continue
        const known = filters.get(segment.text)
        if (known === undefined)
          filters.set(segment.text, { test: segment.test, next: [next], members: members && [...members] })
        else known.next.push(next)
      }
    }
    const asked = [...filters.values()]
    const members = asked.some((it) => it.members === null) ? null : asked.flatMap((it) => it.members ?? [])
    return {
      base,
      filters: asked,
      states: new Map(),
      plain: this.stateOf(base),
      members: members && [...new Set(members)],
    }
  }

  /** Where a key leads from a state. */
  edge(state: State, key: string): Transition {
    return state.named.has(key) ? this.namedEdge(state, key) : this.otherEdge(state)
  }

  /** Where a key leads that the state does not name. */
  otherEdge(state: State): Transition {
    return (state.other ??= this.transition(state, null))
  }

  private namedEdge(state: State, key: string): Transition {
    let transition = state.transitions.get(key)
    if (transition === undefined) state.transitions.set(key, (transition = this.transition(state, key)))
    return transition
  }

  /** Whether a child may have to be asked which state it leads to; `plain` is the state otherwise. */
  asks({ members }: Transition, value: Json): boolean {
    return members === null || (members.length > 0 && mayHave(value, members))
  }

  /** The state behind an edge with filters, by what they say of the child. */
  filtered(transition: Transition, scope: Scope): State {
    const { filters } = transition
    const value = scope.value as Json
    const holds = ({ members, test }: Filter) => (members === null || mayHave(value, members)) && test(scope)
    // More filters than a number can tell combinations of: the state is looked up by its positions.
    if (filters.length > 50)
      return this.stateOf([...transition.base, ...filters.flatMap((it) => (holds(it) ? it.next : []))])
    // One bit for each filter; doubling keeps whole numbers exact for more filters than bits of an integer.
    let key = 0
    for (const filter of filters) key = key * 2 + (holds(filter) ? 1 : 0)
    if (key === 0) return transition.plain
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
