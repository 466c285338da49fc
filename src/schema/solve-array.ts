import type { Json } from '../document/json.ts'
import { canonical } from './node.ts'
import type { Node } from './node.ts'
import { found, none, unknown } from './answer.ts'
import type { Answer, Goal, Literals, Solving } from './answer.ts'

type Items = Extract<Node, { op: 'items' }>
type Contains = Extract<Node, { op: 'contains' }>

interface ArrayGoal {
  readonly min: number
  readonly max: number
  readonly items: readonly Items[]
  readonly refused: readonly Items[]
  readonly contains: readonly Contains[]
  readonly unique: boolean
  readonly repeated: boolean
  /** The first index at which every declaration speaks by its rest. */
  readonly tail: number
}

const longest = 5000

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

/** More items of one kind are asked for than there may be of a kind that they all belong to. */
const overcounted = (solver: Solving, { contains, max }: ArrayGoal): boolean =>
  contains.some(
    (some) =>
      some.min > max ||
      contains.some(
        (limit) =>
          some.min > limit.max && (some === limit || solver.solve([some.part.id, -limit.part.id]).is === 'none'),
      ),
  )

const read = ({ yes, no }: Literals): ArrayGoal => {
  let [min, max] = [0, Infinity]
  for (const node of yes) {
    if (node.op === 'minItems') min = Math.max(min, node.count)
    else if (node.op === 'maxItems') max = Math.min(max, node.count)
  }
  for (const node of no) {
    if (node.op === 'minItems') max = Math.min(max, node.count - 1)
    else if (node.op === 'maxItems') min = Math.max(min, node.count + 1)
  }
  const items = yes.filter((node) => node.op === 'items')
  const refused = no.filter((node) => node.op === 'items')
  return {
    min,
    max,
    items,
    refused,
    contains: merged(yes.filter((node) => node.op === 'contains')),
    unique: yes.some((node) => node.op === 'unique'),
    repeated: no.some((node) => node.op === 'unique'),
    tail: Math.max(0, ...[...items, ...refused].map((node) => node.prefix.length)),
  }
}

/** An array that fits every atom. */
export const solveArray = (solver: Solving, literals: Literals, taken: ReadonlySet<string>): Answer => {
  const goal = read(literals)
  if (goal.min > goal.max) return none
  if (goal.unique && goal.repeated) return none
  if (overcounted(solver, goal)) return none
  if (goal.min > longest) return unknown('the array would be too long to show')
  let worst: Answer = none
  for (const extra of plans(goal)) {
    solver.spend()
    const answer = build(solver, goal, extra)
    if (answer.is === 'found') {
      if (!taken.has(canonical(answer.value))) return answer
      const other = another(solver, goal, extra, taken)
      if (other) return other
      worst = unknown('the remaining arrays were not all tried')
    } else if (answer.is === 'unknown') worst = answer
  }
  return worst
}

/** Goals by index, on top of what `items` asks. `same` are two indexes that have to hold equal values. */
interface Plan {
  readonly at: ReadonlyMap<number, readonly Goal[]>
  readonly everywhere: readonly Goal[]
  readonly same: readonly [number, number] | null
  readonly exact: boolean
}

/** Every way to break the refused declarations and to hold the guaranteed items, up to what indexes can tell apart. */
function* plans(goal: ArrayGoal): Generator<Plan> {
  const spots = goal.tail + 1
  const pairs: ([number, number] | null)[] = []
  if (goal.repeated) for (let i = 0; i < spots; i++) for (let j = i + 1; j <= spots; j++) pairs.push([i, j])
  else pairs.push(null)
  for (const same of pairs) yield* breakItems(goal, 0, { at: new Map(), everywhere: [], same, exact: true })
}

const put = (plan: Plan, index: number, goals: readonly Goal[]): Plan => ({
  ...plan,
  at: new Map(plan.at).set(index, [...(plan.at.get(index) ?? []), ...goals]),
})

function* breakItems(goal: ArrayGoal, at: number, plan: Plan): Generator<Plan> {
  const refused = goal.refused[at]
  if (!refused) {
    yield* holdItems(goal, 0, plan)
    return
  }
  for (let index = 0; index <= goal.tail; index++) {
    const part = refused.prefix[index] ?? refused.rest
    if (part.op === 'true') continue
    yield* breakItems(goal, at + 1, put(plan, index, [-part.id]))
  }
}

function* holdItems(goal: ArrayGoal, at: number, plan: Plan): Generator<Plan> {
  const contains = goal.contains[at]
  if (!contains) {
    yield plan
    return
  }
  const { part, min, max } = contains
  if (max === 0) {
    if (min <= 0) yield* holdItems(goal, at + 1, { ...plan, everywhere: [...plan.everywhere, -part.id] })
    return
  }
  if (min > 50) return
  if (min <= 0) {
    // At most `max`: none at all is the simplest way, and not the only one.
    yield* holdItems(goal, at + 1, { ...plan, everywhere: [...plan.everywhere, -part.id], exact: false })
    return
  }
  for (let begin = 0; begin <= goal.tail + at + 1; begin++) {
    let next = plan
    for (let i = 0; i < min; i++) next = put(next, begin + i, [part.id])
    if (max < Infinity) next = { ...next, exact: false }
    yield* holdItems(goal, at + 1, next)
  }
}

const goalsAt = (goal: ArrayGoal, plan: Plan, index: number): Goal[] => {
  const goals = goal.items.map((node) => (node.prefix[index] ?? node.rest).id)
  goals.push(...(plan.at.get(index) ?? []))
  const held = plan.at.get(index) ?? []
  for (const it of plan.everywhere) if (!held.includes(-it)) goals.push(it)
  return goals
}

const build = (solver: Solving, goal: ArrayGoal, plan: Plan, refuse: readonly Json[] = []): Answer => {
  const reach = Math.max(-1, ...plan.at.keys(), ...(plan.same ?? []))
  const length = Math.max(goal.min, reach + 1)
  if (length > goal.max) return none
  if (length > longest) return unknown('the array would be too long to show')
  const values: Json[] = []
  const kinds = new Set<string>()
  for (let index = 0; index < length; index++) {
    if (plan.same && index === plan.same[1]) {
      values.push(values[plan.same[0]]!)
      continue
    }
    const goals = goalsAt(goal, plan, index)
    if (plan.same && index === plan.same[0]) goals.push(...goalsAt(goal, plan, plan.same[1]))
    kinds.add([...goals].sort((a, b) => a - b).join(' '))
    const exclude = [...(goal.unique ? values : []), ...(index === 0 ? refuse : [])]
    const answer = solver.solve(exclude.length > 0 ? [...goals, -solver.factory.values(exclude).id] : goals)
    if (answer.is === 'found') {
      values.push(answer.value)
      continue
    }
    if (answer.is === 'unknown') return answer
    // Distinct values were taken greedily: that decides only where all places ask the same.
    if (exclude.length > 0 && kinds.size > 1 && solver.solve(goals).is !== 'none')
      return unknown('distinct items were not all tried')
    return plan.exact ? none : unknown('the places of the contained items were not all tried')
  }
  return check(goal, plan, values, solver)
}

/** A bound on how many items may match is verified on the result. */
const check = (goal: ArrayGoal, plan: Plan, values: readonly Json[], solver: Solving): Answer => {
  if (plan.exact) return found(values)
  for (const node of goal.contains) {
    const count = values.filter((value) => solver.holds(node.part.id, value) === true).length
    if (count < node.min || count > node.max) return unknown('the places of the contained items were not all tried')
  }
  return found(values)
}

/** One more array than those that are taken: with another first item, or one item longer. */
const another = (solver: Solving, goal: ArrayGoal, plan: Plan, taken: ReadonlySet<string>): Answer | null => {
  const refuse: Json[] = []
  for (let round = 0; round < 6; round++) {
    const answer = build(solver, { ...goal, min: Math.max(goal.min, 1) }, plan, refuse)
    if (answer.is !== 'found' || !Array.isArray(answer.value)) break
    if (!taken.has(canonical(answer.value))) return answer
    refuse.push((answer.value as readonly Json[])[0]!)
  }
  for (let longer = 1; longer < 4 && goal.min + longer <= goal.max; longer++) {
    const answer = build(solver, { ...goal, min: goal.min + longer }, plan)
    if (answer.is === 'found' && !taken.has(canonical(answer.value))) return answer
  }
  return null
}
