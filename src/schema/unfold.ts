import type { Node, NodeFactory } from './node.ts'

/** From so many references within one on, it is not taken apart. */
const most = 500
/** From so many parts of all references on, those that are left are not taken apart either. */
const mostParts = 200_000

/** A reference that is visited to find cycles. */
interface Visit {
  readonly key: string
  readonly asked: readonly string[]
  next: number
  /** When it was met, and the earliest that can be reached from it. */
  readonly order: number
  low: number
}

/**
 * Resolves references, and takes those apart that need themselves about one and the same value: a parent whose `oneOf`
 * names its children while each child's `allOf` names the parent. Read as a greatest fixed point, the inner reference asks
 * nothing that the outer one has not asked, so it is left out there. Cycles through properties or items are not touched:
 * a value is finite, and the solver ends them.
 */
export class Unfolding {
  private readonly memo = new Map<string, Node>()
  private readonly cycles = new Map<string, number>()
  private lastCycle = 0
  /** The references that were followed for the one in progress. */
  private steps = 0
  /** The parts that were looked at for all of them. */
  private parts = 0
  private readonly factory: NodeFactory
  private readonly raw: (key: string) => Node

  constructor(factory: NodeFactory, raw: (key: string) => Node) {
    this.factory = factory
    this.raw = raw
  }

  /** The target of a reference. */
  resolve(key: string): Node {
    const known = this.memo.get(key)
    if (known) return known
    this.steps = 0
    const node = this.cycleOf(key) > 0 ? this.unfold(key, [key]) : this.raw(key)
    this.memo.set(key, node)
    return node
  }

  private unfold(key: string, stack: readonly string[]): Node {
    return this.substitute(this.raw(key), stack)
  }

  private substitute(node: Node, stack: readonly string[]): Node {
    if (node.op === 'all' || node.op === 'any' || node.op === 'one') this.parts += node.parts.length
    switch (node.op) {
      case 'ref': {
        if (stack.includes(node.key)) return this.factory.always
        if (this.cycleOf(node.key) !== this.cycleOf(stack[0]!)) return node
        if (++this.steps > most || this.parts > mostParts)
          return this.factory.opaque(`the mutual references of ${node.key}`)
        return this.unfold(node.key, [...stack, node.key])
      }
      case 'all':
        return this.factory.all(node.parts.map((part) => this.substitute(part, stack)))
      case 'any': {
        // One branch that asks nothing makes the others needless.
        const open = node.parts.some((part) => part.op === 'ref' && stack.includes(part.key))
        if (open) return this.factory.always
        const parts: Node[] = []
        for (const part of node.parts) {
          const made = this.substitute(part, stack)
          if (made.op === 'true') return made
          parts.push(made)
        }
        return this.factory.any(parts)
      }
      case 'one':
        return this.factory.one(node.parts.map((part) => this.substitute(part, stack)))
      default:
        return node
    }
  }

  /** The references that a reference asks about the same value, each once. */
  private asks(key: string): readonly string[] {
    const found = new Set<string>()
    const queue: Node[] = [this.raw(key)]
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      if (node.op === 'all' || node.op === 'any' || node.op === 'one') for (const part of node.parts) queue.push(part)
      else if (node.op === 'ref') found.add(node.key)
    }
    return [...found]
  }

  /**
   * The number of the cycle that a reference is in: references that need each other have the same one; 0 for one in no cycle.
   * Strongly connected components by Tarjan's algorithm, in time linear in the references and without recursion.
   */
  private cycleOf(start: string): number {
    const known = this.cycles.get(start)
    if (known !== undefined) return known
    const open: Visit[] = []
    const visits = new Map<string, Visit>()
    const enter = (key: string): Visit => {
      const visit = { key, asked: this.asks(key), next: 0, order: visits.size, low: visits.size }
      visits.set(key, visit)
      open.push(visit)
      return visit
    }
    const path = [enter(start)]
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const key = at.asked[at.next++]
      if (key !== undefined) {
        if (this.cycles.has(key)) continue
        const other = visits.get(key)
        if (other) at.low = Math.min(at.low, other.order)
        else path.push(enter(key))
        continue
      }
      path.pop()
      const above = path.at(-1)
      if (above) above.low = Math.min(above.low, at.low)
      if (at.low < at.order) continue
      const members = open.splice(open.lastIndexOf(at))
      const isCycle = members.length > 1 || at.asked.includes(at.key)
      const number = isCycle ? ++this.lastCycle : 0
      for (const { key } of members) this.cycles.set(key, number)
    }
    return this.cycles.get(start)!
  }
}
