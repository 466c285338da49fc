import type { Json } from '../kernel/json.ts'
import { partsAt, patternTest } from './accepts.ts'
import { typeBit } from './node.ts'
import type { Node } from './node.ts'
import { found, none, unknown } from './answer.ts'
import type { Answer, Goal, Literals, Solving } from './answer.ts'

type Declaration = Extract<Node, { op: 'object' }>

/** What has to be broken by one property: a declaration, or a rule for names. */
type Refusal = Declaration | Extract<Node, { op: 'names' }>

interface ObjectGoal {
  readonly min: number
  readonly max: number
  readonly declared: readonly Declaration[]
  readonly refusals: readonly Refusal[]
  readonly required: ReadonlySet<string>
  readonly lacking: ReadonlySet<string>
  readonly nameRules: readonly Node[]
  /** Every name that anybody names. */
  readonly named: readonly string[]
}

const most = 300

const read = ({ yes, no }: Literals): ObjectGoal => {
  let [min, max] = [0, Infinity]
  const required = new Set<string>()
  const lacking = new Set<string>()
  for (const node of yes) {
    if (node.op === 'minProperties') min = Math.max(min, node.count)
    else if (node.op === 'maxProperties') max = Math.min(max, node.count)
    else if (node.op === 'required') required.add(node.name)
    else if (node.op === 'lacks') lacking.add(node.name)
  }
  for (const node of no) {
    if (node.op === 'minProperties') max = Math.min(max, node.count - 1)
    else if (node.op === 'maxProperties') min = Math.max(min, node.count + 1)
  }
  const declared = yes.filter((node) => node.op === 'object')
  const refusals = no.filter((node) => node.op === 'object' || node.op === 'names')
  const named = new Set<string>(required)
  for (const node of [...declared, ...refusals])
    if (node.op === 'object') for (const name of node.named.keys()) named.add(name)
  return {
    min,
    max,
    declared,
    refusals,
    required,
    lacking,
    nameRules: yes.filter((node) => node.op === 'names').map((node) => node.part),
    named: [...named].sort(),
  }
}

/** An object that fits every atom. */
export const solveObject = (solver: Solving, literals: Literals): Answer =>
  new ObjectSearch(solver, read(literals)).run()

class ObjectSearch {
  private incomplete: string | null = null
  private readonly solver: Solving
  private readonly goal: ObjectGoal
  /** What is asked of the property of a name anyway. */
  private readonly goals = new Map<string, readonly Goal[]>()
  /** Whether a property of a name may be there, where no rule for names is asked. */
  private readonly possibles = new Map<string, boolean>()

  constructor(solver: Solving, goal: ObjectGoal) {
    this.solver = solver
    this.goal = goal
  }

  run(): Answer {
    const { goal } = this
    if (goal.min > goal.max || goal.required.size > goal.max) return none
    if (goal.min > most) return unknown('the object would be too large to show')
    for (const name of goal.required) {
      if (goal.lacking.has(name) || this.nameFits(name) === false) return none
      const answer = this.solver.solve(this.goalsAt(name))
      if (answer.is === 'none') return none
    }
    const answer = this.breakNext(0, new Map())
    if (answer.is === 'none' && this.incomplete) return unknown(this.incomplete)
    return answer
  }

  /** Chooses for each refusal the property that breaks it. */
  private breakNext(at: number, broken: ReadonlyMap<string, readonly Goal[]>): Answer {
    this.solver.spend()
    const refusal = this.goal.refusals[at]
    if (!refusal) return this.assemble(broken)
    let worst: Answer = none
    for (const [name, goals] of this.candidates(refusal, broken)) {
      const wanted = [...(broken.get(name) ?? []), ...goals]
      const here = this.solver.solve([...this.goalsAt(name), ...wanted])
      if (here.is === 'none') continue
      if (here.is === 'unknown') {
        worst = here
        continue
      }
      const answer = this.breakNext(at + 1, new Map(broken).set(name, wanted))
      if (answer.is === 'found') return answer
      if (answer.is === 'unknown') worst = answer
    }
    return worst
  }

  /** Properties that could break a refusal, with what their values have to be for it. */
  private *candidates(
    refusal: Refusal,
    broken: ReadonlyMap<string, readonly Goal[]>,
  ): Generator<readonly [string, readonly Goal[]]> {
    const { goal, solver } = this
    if (refusal.op === 'names') {
      for (const name of new Set([...broken.keys(), ...goal.named])) {
        if (this.possible(name) && solver.holds(-refusal.part.id, name) !== false) yield [name, []]
      }
      for (const region of this.regions()) {
        const fresh = region.includes(refusal.part) ? null : this.freshName(region, broken)
        if (fresh !== null) yield [fresh, []]
      }
      return
    }
    for (const name of [...broken.keys(), ...goal.named]) {
      if (!this.possible(name)) continue
      const parts = partsAt(refusal, name)
      if (!parts) {
        this.incomplete = 'a pattern for property names cannot be read'
        continue
      }
      const part = solver.factory.all(parts)
      if (part.op !== 'true') yield [name, [-part.id]]
    }
    if (refusal.patterns.length === 0 && refusal.extra.op === 'true') return
    for (const region of this.regions()) {
      const name = this.freshName(region, broken)
      if (name === null) continue
      const parts = partsAt(refusal, name)
      const part = parts ? solver.factory.all(parts) : null
      if (part && part.op !== 'true') yield [name, [-part.id]]
    }
  }

  /**
   * The ways in which an undeclared name can be distinguished, each as the set of what it fits: names of one region are alike in
   * all that is asked.
   */
  private regions(): readonly (readonly Node[])[] {
    const traits = this.traits()
    if (traits.length > 6) {
      this.incomplete = 'too many patterns for property names'
      return [[], ...traits.map((trait) => [trait])]
    }
    return Array.from({ length: 2 ** traits.length }, (_, bits) => traits.filter((_, i) => (bits >> i) & 1))
  }

  /** What distinguishes undeclared names: patterns, and refused rules for names. */
  private traits(): readonly Node[] {
    const sources = new Set<string>()
    const rules: Node[] = []
    for (const node of [...this.goal.declared, ...this.goal.refusals]) {
      if (node.op === 'names') rules.push(node.part)
      else for (const [source] of node.patterns) sources.add(source)
    }
    return [...[...sources].sort().map((source) => this.solver.factory.pattern(source)), ...rules]
  }

  /** A name that no one declares and that fits exactly the traits of a region; null when there is none. */
  private freshName(region: readonly Node[], broken: ReadonlyMap<string, readonly Goal[]>): string | null {
    const { factory } = this.solver
    const taken = [...this.goal.named, ...this.goal.lacking, ...broken.keys()]
    const wanted = [
      ...this.traits().map((trait) => (region.includes(trait) ? trait.id : -trait.id)),
      ...this.goal.nameRules.map((rule) => rule.id),
    ]
    // The empty name is hard to read in a report, so it is the last one to be tried.
    const strings = [factory.types(typeBit.string).id, -factory.values([...taken, '']).id]
    const answer = this.solver.solve([...strings, ...wanted])
    if (answer.is === 'found' && typeof answer.value === 'string') return answer.value
    if (!taken.includes('') && wanted.every((goal) => this.solver.holds(goal, '') === true)) return ''
    if (answer.is === 'unknown') this.incomplete = answer.why
    return null
  }

  private nameFits(name: string): boolean | null {
    let result: boolean | null = true
    for (const rule of this.goal.nameRules) {
      const answer = this.solver.holds(rule.id, name)
      if (answer === false) return false
      if (answer === null) result = null
    }
    return result
  }

  /** Whether a property of that name may be there. */
  private possible(name: string): boolean {
    if (this.goal.nameRules.length > 0) return this.canHave(name)
    let known = this.possibles.get(name)
    if (known === undefined) this.possibles.set(name, (known = this.canHave(name)))
    return known
  }

  private canHave(name: string): boolean {
    const { goal } = this
    if (goal.lacking.has(name)) return false
    if (this.nameFits(name) === false) return false
    return goal.required.has(name) || !this.unsent(name)
  }

  /** A name that the sender's own declarations leave open and only the other side declares is not sent. */
  private unsent(name: string): boolean {
    if (this.solver.undeclared === 'yes') return false
    const { declared, refusals } = this.goal
    if (declared.some((node) => node.extra.op !== 'true' || node.named.has(name))) return false
    if (declared.some((node) => node.patterns.some(([source]) => patternTest(source, name) !== false))) return false
    return refusals.some((node) => node.op === 'object' && node.implicit && node.named.has(name))
  }

  private goalsAt(name: string): readonly Goal[] {
    const known = this.goals.get(name)
    if (known) return known
    const goals: Goal[] = []
    for (const node of this.goal.declared) {
      const parts = partsAt(node, name)
      if (!parts) {
        this.incomplete = 'a pattern for property names cannot be read'
        continue
      }
      for (const part of parts) goals.push(part.id)
    }
    this.goals.set(name, goals)
    return goals
  }

  private assemble(broken: ReadonlyMap<string, readonly Goal[]>): Answer {
    const { goal } = this
    // A map, because a property can be called `__proto__`.
    const value = new Map<string, Json>()
    const names = [...new Set([...goal.required, ...broken.keys()])].sort()
    if (names.length > goal.max) return none
    for (const name of names) {
      const answer = this.solver.solve([...this.goalsAt(name), ...(broken.get(name) ?? [])])
      if (answer.is !== 'found') return answer
      value.set(name, answer.value)
    }
    return this.extend(value, broken)
  }

  /** Adds properties until there are enough of them. */
  private extend(value: Map<string, Json>, broken: ReadonlyMap<string, readonly Goal[]>): Answer {
    const { min, max, named } = this.goal
    if (value.size >= min) return found(Object.fromEntries(value))
    let undecided: Answer = none
    for (const source of [...named, ...this.regions()]) {
      for (;;) {
        if (value.size >= max) return none
        const used = new Map([...broken, ...[...value.keys()].map((key): [string, Goal[]] => [key, []])])
        const next = typeof source === 'string' ? source : this.freshName(source, used)
        if (next === null || value.has(next) || !this.possible(next)) break
        const answer = this.solver.solve(this.goalsAt(next))
        if (answer.is === 'unknown') undecided = answer
        if (answer.is !== 'found') break
        value.set(next, answer.value)
        if (value.size >= min) return found(Object.fromEntries(value))
      }
    }
    return undecided
  }
}
