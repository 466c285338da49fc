import type { Json } from '../document/json.ts'
import type { Node, NodeFactory } from './node.ts'
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

  constructor(factory: NodeFactory, resolve: (key: string) => Node, undeclared: 'yes' | 'no') {
    this.solver = new Solver(factory, resolve, undeclared)
  }

  /** Whether a node has no value at all. */
  isEmpty(node: Node): boolean {
    return this.solver.ask([node.id]).is === 'none'
  }

  /** L(inner) ⊆ L(outer), that is: nothing lies in the first and outside of the second. */
  contains(outer: Node, inner: Node): Containment {
    if (outer === inner) return { is: 'contained' }
    const key = `${inner.id} ${outer.id}`
    const known = this.memo.get(key)
    if (known) return known
    const answer = this.solver.ask([inner.id, -outer.id])
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
