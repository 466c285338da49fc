import type { Json } from '../document/json.ts'
import type { Node, NodeFactory } from './node.ts'
import type { Answer, Goal } from './answer.ts'
import { Solver } from './solver.ts'

/** Whether every value of one node is a value of another. */
export type Containment =
  | { readonly is: 'contained' }
  /** `value` lies in the first and not in the second. */
  | { readonly is: 'escapes'; readonly value: Json }
  | { readonly is: 'unknown'; readonly why: string }

/** Decides inclusion between nodes of one factory; answers are remembered per pair. */
export class Comparer {
  private readonly memo = new Map<string, Containment>()
  readonly solver: Solver
  private store = 400_000

  constructor(factory: NodeFactory, resolve: (key: string) => Node, undeclared: 'yes' | 'no') {
    this.solver = new Solver(factory, resolve, undeclared)
  }

  /** What hard questions take from a common store: when it is used up, each gets little more. */
  private ask(goals: readonly Goal[]): Answer {
    const answer = this.solver.ask(goals, this.store > 0 ? 20_000 : this.store > -400_000 ? 500 : 40)
    this.store -= this.solver.steps
    return answer
  }

  /** Whether a node has no value at all. */
  isEmpty(node: Node): boolean {
    return this.ask([node.id]).is === 'none'
  }

  /** L(inner) ⊆ L(outer), that is: nothing lies in the first and outside of the second. */
  contains(outer: Node, inner: Node): Containment {
    if (outer === inner) return { is: 'contained' }
    const key = `${inner.id} ${outer.id}`
    const known = this.memo.get(key)
    if (known) return known
    const answer = this.ask([inner.id, -outer.id])
    const result: Containment =
      answer.is === 'none'
        ? { is: 'contained' }
        : answer.is === 'found'
          ? { is: 'escapes', value: answer.value }
          : { is: 'unknown', why: answer.why }
    this.memo.set(key, result)
    return result
  }
}
