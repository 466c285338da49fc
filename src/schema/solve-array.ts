import { found, none, unknown } from './answer.ts'
import type { Answer, Goal, Literals, Solving } from './answer.ts'
import type { Json } from '../kernel/json.ts'
import type { Node } from './node.ts'

type Items = Extract<Node, { op: 'items' }>
type Contains = Extract<Node, { op: 'contains' }>

/** So many items have to be at different places, and fit a goal of that place. */
interface Demand {
  /** The goal of an item at `index`; null where no item there could do. */
  readonly goalAt: (index: number) => Goal | null
  readonly count: number
  /** There are no more of them than these. */
  readonly isLimited: boolean
}

/** What is asked of items at some places, on top of what `items` asks of each. */
interface Layout {
  readonly held: ReadonlyMap<number, readonly Goal[]>
  /** How many places after the prefixes are in use. */
  readonly used: number
}

const longest = 5000
const tooLong = 'the array would be too long to show'

/** Several counts of the same items as one. */
const merged = (all: readonly Contains[]): readonly Contains[] => {
  const byPart = new Map<Node, Contains>()
  for (const node of all) {
    const known = byPart.get(node.part)
    byPart.set(
      node.part,
      known ? { ...known, min: Math.max(known.min, node.min), max: Math.min(known.max, node.max) } : node,
    )
  }
  return [...byPart.values()]
}

/** An array that fits every atom. */
export const solveArray = (solver: Solving, literals: Literals): Answer => new ArraySearch(solver, literals).run()

/**
 * Looks for an array by placing what it has to have: an item that breaks each refused declaration, the items that are counted,
 * and two equal ones. Places after the prefixes are all alike, so that one of those that are free is tried for all of them.
 */
class ArraySearch {
  private readonly solver: Solving
  private readonly items: readonly Items[]
  private readonly refused: readonly Items[]
  private readonly contains: readonly Contains[]
  private readonly min: number
  private max: number
  private readonly unique: boolean
  private readonly repeated: boolean
  /** The first index at which every declaration speaks by its rest. */
  private readonly tail: number
  /** What none of the items may be, besides those that are placed for it. */
  private outside: readonly Goal[] = []
  /** Two places that have equal items. */
  private same: readonly [number, number] | null = null
  /** Whether there is room for an item of its own for each demand. */
  private isRoomy = false
  /** The first of the demands in order that can be met after the prefixes. */
  private firstFree = 0
  private undecided: string | null = null

  constructor(solver: Solving, { yes, no }: Literals) {
    this.solver = solver
    let [min, max] = [0, Infinity]
    for (const node of yes) {
      if (node.op === 'minItems') min = Math.max(min, node.count)
      else if (node.op === 'maxItems') max = Math.min(max, node.count)
    }
    for (const node of no) {
      if (node.op === 'minItems') max = Math.min(max, node.count - 1)
      else if (node.op === 'maxItems') min = Math.max(min, node.count + 1)
    }
    this.min = min
    this.max = max
    this.items = yes.filter((node) => node.op === 'items')
    this.refused = no.filter((node) => node.op === 'items')
    this.contains = merged(yes.filter((node) => node.op === 'contains'))
    this.unique = yes.some((node) => node.op === 'unique')
    this.repeated = no.some((node) => node.op === 'unique')
    this.tail = Math.max(0, ...[...this.items, ...this.refused].map((node) => node.prefix.length))
  }

  run(): Answer {
    if (this.min > this.max || (this.unique && this.repeated) || this.isOvercounted()) return none
    if (Math.max(this.min, ...this.contains.map((it) => it.min)) > longest) return unknown(tooLong)
    this.shorten()
    if (this.min > this.max) return none
    const answer = this.countEach(0, [])
    return answer.is === 'none' && this.undecided !== null ? unknown(this.undecided) : answer
  }

  /** More items of one kind are asked for than there may be of a kind that they all belong to. */
  private isOvercounted(): boolean {
    return this.contains.some(
      (some) =>
        some.min > this.max ||
        this.contains.some(
          (limit) =>
            some.min > limit.max && (some === limit || this.solver.solve([some.part.id, -limit.part.id]).is === 'none'),
        ),
    )
  }

  /** An array ends before the first place that no item fits. */
  private shorten(): void {
    for (let index = 0; index <= this.tail && index < this.max; index++) {
      if (this.solver.solve(this.declaredAt(index)).is === 'none') this.max = index
    }
  }

  /** Chooses how many items of each kind that has a limit there are: the others are kept out of it. */
  private countEach(at: number, counts: readonly number[]): Answer {
    const contains = this.contains[at]
    if (!contains) return this.arrange(counts)
    if (contains.max === Infinity) return this.countEach(at + 1, [...counts, contains.min])
    // A shorter array does as well, down to what has to be in it.
    const enough = Math.max(this.min, this.tail + this.refused.length + 2 + sum(this.contains.map((it) => it.min)))
    let worst: Answer = none
    for (let count = contains.min; count <= Math.min(contains.max, enough, this.max); count++) {
      if (count > longest) return unknown(tooLong)
      this.solver.spend(1)
      const answer = this.countEach(at + 1, [...counts, count])
      if (answer.is === 'found') return answer
      if (answer.is === 'unknown') worst = answer
    }
    return worst
  }

  private arrange(counts: readonly number[]): Answer {
    const limited = this.contains.filter((it) => it.max < Infinity)
    this.outside = limited.map((it) => -it.part.id)
    const counted = this.contains.map(({ part, max }, i): Demand => ({
      count: counts[i]!,
      goalAt: () => part.id,
      isLimited: max < Infinity,
    }))
    const broken = this.refused.map((node): Demand => ({
      count: 1,
      goalAt: (index) => refusal(node, index),
      isLimited: false,
    }))
    const demands = [...counted.filter((it) => it.count > 0), ...broken]
    this.isRoomy = !this.unique && limited.length === 0 && this.max >= this.tail + sum(counts) + broken.length + 2
    const ordered = this.ordered(demands)
    if (ordered === null) return none
    this.same = null
    if (!this.repeated) return this.placeNext(ordered, 0, { held: new Map(), used: 0 })
    let worst: Answer = none
    for (let i = 0; i <= this.tail; i++)
      for (let j = i + 1; j <= this.tail + 1 && j < this.max; j++) {
        this.same = [i, j]
        const layout: Layout = { held: new Map(), used: Math.max(0, j - this.tail + 1) }
        if (!this.isPossible(i, layout, [], false)) continue
        const answer = this.placeNext(ordered, 0, layout)
        if (answer.is === 'found') return answer
        if (answer.is === 'unknown') worst = answer
      }
    return worst
  }

  /**
   * The demands in the order in which they are placed: those with a limit, as these say what is kept out of all other places, those
   * that only a place of the prefixes can meet, and the rest. Null where one can be met nowhere.
   */
  private ordered(demands: readonly Demand[]): readonly Demand[] | null {
    const layout: Layout = { held: new Map(), used: 0 }
    this.same = null
    const canMeet = (demand: Demand, index: number): boolean => {
      const goal = demand.goalAt(index)
      return goal !== null && this.isPossible(index, layout, [goal], false)
    }
    const ranks = new Map<Demand, number>()
    for (const demand of demands) {
      const isFree = canMeet(demand, this.tail)
      if (!isFree && !Array.from({ length: this.tail }, (_, i) => i).some((i) => canMeet(demand, i))) return null
      ranks.set(demand, demand.isLimited ? 0 : isFree ? 2 : 1)
    }
    this.firstFree = [...ranks.values()].filter((rank) => rank < 2).length
    return demands.toSorted((a, b) => ranks.get(a)! - ranks.get(b)!)
  }

  private placeNext(demands: readonly Demand[], at: number, layout: Layout): Answer {
    this.solver.spend(1)
    const demand = demands[at]
    if (!demand) return this.build(layout)
    let worst: Answer = none
    for (const next of this.ways(demand, layout, 0, demand.count)) {
      const answer = this.placeNext(demands, at + 1, next)
      if (answer.is === 'found') return answer
      if (answer.is === 'unknown') worst = answer
      // With room for all, whatever place it takes leaves enough to the others.
      if (this.isRoomy && at >= this.firstFree) break
    }
    return worst
  }

  /** Every choice of `count` places from `from` on for a demand; those that are not in use yet are taken in their order. */
  private *ways(demand: Demand, layout: Layout, from: number, count: number): Generator<Layout> {
    this.solver.spend(1 + count / 50)
    if (count === 0) {
      yield layout
      return
    }
    const known = this.tail + layout.used
    for (let index = from; index < known; index++) {
      const goal = this.goalOf(demand, layout, index)
      if (goal !== null) yield* this.ways(demand, put(layout, index, goal, 1), index + 1, count - 1)
    }
    // Fresh places are all alike.
    const goal = known + count <= this.max ? this.goalOf(demand, layout, known) : null
    if (goal !== null) yield { ...put(layout, known, goal, count), used: layout.used + count }
  }

  /** The goal of an item that meets a demand at a place; null where none can. */
  private goalOf(demand: Demand, layout: Layout, index: number): Goal | null {
    const goal = demand.goalAt(index)
    return goal !== null && this.isPossible(index, layout, [goal], !demand.isLimited) ? goal : null
  }

  /** Whether an item that fits `more` as well can be at a place. `apart`: it is kept out of what has a limit. */
  private isPossible(index: number, layout: Layout, more: readonly Goal[], apart: boolean): boolean {
    if (index >= this.max) return false
    this.solver.spend(0.1)
    const answer = this.solver.solve([...this.goalsAt(index, layout, apart), ...more])
    if (answer.is === 'unknown') this.undecided = answer.why
    return answer.is === 'found'
  }

  private declaredAt(index: number): Goal[] {
    return this.items.map((node) => (node.prefix[index] ?? node.rest).id)
  }

  private goalsAt(index: number, { held }: Layout, apart: boolean): Goal[] {
    return (this.same?.includes(index) ? this.same : [index]).flatMap((place) => {
      const placed = held.get(place) ?? []
      const kept = apart ? this.outside.filter((it) => !placed.includes(-it)) : []
      return [...this.declaredAt(place), ...placed, ...kept]
    })
  }

  private build(layout: Layout): Answer {
    const length = Math.max(this.min, this.reach(layout) + 1)
    if (length > this.max) return none
    if (length > longest) return unknown(tooLong)
    const values: Json[] = []
    for (let index = 0; index < length; index++) {
      if (index === this.same?.[1]) {
        values.push(values[this.same[0]]!)
        continue
      }
      const goals = this.goalsAt(index, layout, true)
      let answer = this.solver.solve([...goals, ...(this.unique ? this.otherThan(values) : [])])
      if (answer.is === 'none' && this.unique) answer = this.giveWay(values, goals, layout)
      if (answer.is !== 'found') return answer
      values.push(answer.value)
    }
    return found(values)
  }

  private otherThan(values: readonly Json[]): readonly Goal[] {
    return values.length === 0 ? [] : [-this.solver.factory.values(values).id]
  }

  /**
   * All values that an item may have are taken: one of those places gets another value, which is changed in `values`. None where
   * these places can have no values but these, since they are too few then.
   */
  private giveWay(values: Json[], goals: readonly Goal[], layout: Layout): Answer {
    const wanted = [...values.keys()].filter((i) => goals.every((goal) => this.solver.holds(goal, values[i]!) === true))
    const few = wanted.map((i) => values[i]!)
    let isBound = true
    for (const i of wanted) {
      const own = this.goalsAt(i, layout, true)
      const other = this.solver.solve([...own, ...this.otherThan(values)])
      if (other.is === 'found') {
        const value = values[i]!
        values[i] = other.value
        return found(value)
      }
      if (this.solver.solve([...own, ...this.otherThan(few)]).is !== 'none') isBound = false
    }
    return isBound ? none : unknown('distinct items were not all tried')
  }

  /** The last place that has to be there. */
  private reach({ held, used }: Layout): number {
    const last = [...held.keys()].reduce((most, it) => Math.max(most, it), -1)
    return Math.max(last, this.same?.[1] ?? -1, used > 0 ? this.tail + used - 1 : -1)
  }
}

/** A layout with one more goal at `count` places from `index` on. */
const put = (layout: Layout, index: number, goal: Goal, count: number): Layout => {
  const held = new Map(layout.held)
  for (let at = index; at < index + count; at++) held.set(at, [...(held.get(at) ?? []), goal])
  return { ...layout, held }
}

const sum = (counts: readonly number[]): number => counts.reduce((all, it) => all + it, 0)

/** The goal of an item that breaks a declaration. */
const refusal = (node: Items, index: number): Goal | null => {
  const part = node.prefix[index] ?? node.rest
  return part.op === 'true' ? null : -part.id
}
