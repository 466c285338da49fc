import type { Goal } from './answer.ts'
import { allTypes, scopeOf, typeBit, typeOf } from './node.ts'
import type { Node, NodeFactory } from './node.ts'

/** Finds the parts of a union by their labels. */
interface LabelIndex {
  /** The indexes of the parts that have a label of this part; of all where it has none. */
  near(part: Node): Iterable<number>
}

/** What can be seen of nodes without solving anything: their types, and whether two of them exclude each other. */
export class Survey {
  private readonly factory: NodeFactory
  private readonly resolve: (key: string) => Node

  private readonly spend: (steps: number) => void

  /** `spend` takes the steps of what is quadratic; it may throw. */
  constructor(factory: NodeFactory, resolve: (key: string) => Node, spend: (steps: number) => void) {
    this.factory = factory
    this.resolve = resolve
    this.spend = spend
  }

  private readonly masks = new Map<Goal, number>()

  /** The types that a goal can have at all: never too few, perhaps too many. */
  typesOf(goal: Goal, depth = 0): number {
    const known = this.masks.get(goal)
    if (known !== undefined) return known
    if (depth > 40) return allTypes
    const node = this.factory.byId(Math.abs(goal))
    const yes = goal > 0
    const parts = (each: readonly Node[], both: boolean): number =>
      each.reduce(
        (mask, part) => {
          const it = this.typesOf(yes ? part.id : -part.id, depth + 1)
          return both ? mask & it : mask | it
        },
        both ? allTypes : 0,
      )
    let mask = allTypes
    if (node.op === 'types') mask = yes ? node.mask : allTypes & ~node.mask
    else if (node.op === 'false' || node.op === 'true') mask = yes === (node.op === 'true') ? allTypes : 0
    else if (node.op === 'values') {
      if (yes) mask = node.values.reduce<number>((sum, value) => sum | typeBit[typeOf(value)], 0)
    } else if (node.op === 'all') mask = parts(node.parts, yes)
    else if (node.op === 'any') mask = parts(node.parts, !yes)
    else if (node.op === 'one') mask = yes ? parts(node.parts, false) : allTypes
    else if (node.op === 'not') mask = this.typesOf(yes ? -node.part.id : node.part.id, depth + 1)
    else if (node.op === 'ref') {
      this.masks.set(goal, allTypes)
      const target = this.resolve(node.key)
      mask = this.typesOf(yes ? target.id : -target.id, depth + 1)
    } else if (!yes) mask = scopeOf(node)
    this.masks.set(goal, mask)
    return mask
  }

  private readonly apart = new Map<number, boolean>()

  /** Whether two nodes share no value, as far as that is cheap to see. */
  disjoint(a: Node, b: Node): boolean {
    const key = a.id < b.id ? a.id * 0x4000000 + b.id : b.id * 0x4000000 + a.id
    const known = this.apart.get(key)
    if (known !== undefined) return known
    const answer = this.isDisjoint(a, b)
    this.apart.set(key, answer)
    return answer
  }

  private isDisjoint(a: Node, b: Node): boolean {
    if ((this.typesOf(a.id) & this.typesOf(b.id)) === 0) return true
    if (a === b) return false
    const labels = this.labels(a)
    for (const [name, other] of this.labels(b)) {
      const mine = labels.get(name)
      if (mine && ![...mine].some((value) => other.has(value))) return true
    }
    return false
  }

  private readonly indexes = new WeakMap<readonly Node[], LabelIndex | null>()
  private readonly overlapsOf = new WeakMap<readonly Node[], readonly (readonly number[])[]>()

  /** For each of the parts, the indexes of those that may share a value with it. */
  overlaps(parts: readonly Node[]): readonly (readonly number[])[] {
    let known = this.overlapsOf.get(parts)
    if (!known) this.overlapsOf.set(parts, (known = this.findOverlaps(parts)))
    return known
  }

  private findOverlaps(parts: readonly Node[]): readonly (readonly number[])[] {
    const index = this.labelIndex(parts)
    return parts.map((part, i) => {
      const near = index ? [...index.near(part)] : [...parts.keys()]
      this.spend(near.length / 100)
      return near.filter((j) => j !== i && !this.disjoint(part, parts[j]!))
    })
  }

  /**
   * Finds parts by a label that all of them have, so that a union of hundreds of labelled branches is not looked at pair by
   * pair; null where no label is common to all.
   */
  labelIndex(parts: readonly Node[]): LabelIndex | null {
    let known = this.indexes.get(parts)
    if (known === undefined) this.indexes.set(parts, (known = this.makeIndex(parts)))
    return known
  }

  private makeIndex(parts: readonly Node[]): LabelIndex | null {
    const [first] = parts
    if (!first) return null
    const name = [...this.labels(first).keys()].find((it) => parts.every((part) => this.labels(part).has(it)))
    if (name === undefined) return null
    const byValue = new Map<string, number[]>()
    for (const [i, part] of parts.entries()) {
      for (const value of this.labels(part).get(name)!) {
        const list = byValue.get(value)
        if (list) list.push(i)
        else byValue.set(value, [i])
      }
    }
    return {
      near: (part) => {
        const mine = this.labels(part).get(name)
        if (!mine) return parts.keys()
        const found = new Set<number>()
        for (const value of mine) for (const i of byValue.get(value) ?? []) found.add(i)
        return [...found].sort((a, b) => a - b)
      },
    }
  }

  private readonly labelsOf = new Map<Node, ReadonlyMap<string, ReadonlySet<string>>>()

  /** Whether a node has a label: a required property that has one of few values. */
  isLabelled(node: Node): boolean {
    return this.labels(node).size > 0
  }

  private labels(node: Node): ReadonlyMap<string, ReadonlySet<string>> {
    let known = this.labelsOf.get(node)
    if (!known) this.labelsOf.set(node, (known = this.readLabels(node)))
    return known
  }

  /** Required properties of an object that have one of few values: what tells branches of a union apart. */
  private readLabels(node: Node): ReadonlyMap<string, ReadonlySet<string>> {
    const required = new Set<string>()
    const values = new Map<string, ReadonlySet<string>>()
    const visit = (node: Node, depth: number): void => {
      if (depth > 12) return
      if (node.op === 'ref') visit(this.resolve(node.key), depth + 1)
      else if (node.op === 'all') for (const part of node.parts) visit(part, depth + 1)
      else if (node.op === 'required') required.add(node.name)
      else if (node.op === 'object') {
        for (const [name, part] of node.named) {
          const literal = part.op === 'all' ? part.parts.find((inner) => inner.op === 'values') : part
          if (literal?.op === 'values') values.set(name, literal.keys)
        }
      }
    }
    visit(node, 0)
    if ((this.typesOf(node.id) & ~typeBit.object) !== 0) return new Map()
    return new Map([...values].filter(([name]) => required.has(name)))
  }
}
