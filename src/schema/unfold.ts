import type { Node, NodeFactory } from './node.ts'

/** From so many references within one on, it is not taken apart. */
const most = 500

/**
 * Resolves references, and takes those apart that need themselves about one and the same value: a parent whose `oneOf`
 * names its children while each child's `allOf` names the parent. Read as a greatest fixed point, the inner reference asks
 * nothing that the outer one has not asked, so it is left out there. Cycles through properties or items are not touched:
 * a value is finite, and the solver ends them.
 */
export class Unfolding {
  private readonly memo = new Map<string, Node>()
  private readonly reaches = new Map<string, ReadonlySet<string>>()
  /** The references that were followed for the one in progress. */
  private steps = 0
  private readonly factory: NodeFactory
  private readonly raw: (key: string) => Node

  constructor(factory: NodeFactory, raw: (key: string) => Node) {
    this.factory = factory
    this.raw = raw
  }

  /** The node that a reference stands for. */
  resolve(key: string): Node {
    const known = this.memo.get(key)
    if (known) return known
    this.steps = 0
    const node = this.reach(key).has(key) ? this.unfold(key, [key]) : this.raw(key)
    this.memo.set(key, node)
    return node
  }

  private unfold(key: string, stack: readonly string[]): Node {
    return this.substitute(this.raw(key), stack)
  }

  private substitute(node: Node, stack: readonly string[]): Node {
    switch (node.op) {
      case 'ref': {
        if (stack.includes(node.key)) return this.factory.always
        const reached = this.reach(node.key)
        if (!stack.some((key) => reached.has(key))) return node
        if (++this.steps > most) return this.factory.opaque(`the mutual references of ${node.key}`)
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

  /** The references that are met on the way to a value without going below it. */
  private reach(key: string): ReadonlySet<string> {
    const known = this.reaches.get(key)
    if (known) return known
    const seen = new Set<string>()
    const queue: Node[] = [this.raw(key)]
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      if (node.op === 'all' || node.op === 'any' || node.op === 'one') queue.push(...node.parts)
      else if (node.op === 'ref' && !seen.has(node.key)) {
        seen.add(node.key)
        queue.push(this.raw(node.key))
      }
    }
    this.reaches.set(key, seen)
    return seen
  }
}
