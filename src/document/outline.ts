import type { Path } from '../kernel/json.ts'

/** What a node of an outline is. An alias is replaced by the node of its anchor. */
export const nodeKind = { scalar: 0, map: 1, sequence: 2, alias: 3 } as const

const grown = (old: Int32Array, capacity: number): Int32Array => {
  const bigger = new Int32Array(capacity)
  bigger.set(old)
  return bigger
}

/**
 * The position of every node of a text: columns of offsets, in the order of the text, a node before its children.
 * `stop[i]` is the first node after the subtree of `i`, so that the next sibling is found in one step.
 */
export class Outline {
  count = 0
  start: Int32Array
  end: Int32Array
  keyStart: Int32Array
  keyEnd: Int32Array
  stop: Int32Array
  kind: Uint8Array
  /** Entries of maps, duplicates included: what the parsed value is compared with. */
  entries = 0
  /** The target of an alias. */
  readonly targets = new Map<number, number>()
  /** Maps in which a key is written twice: their last entry counts. */
  readonly repeating = new Set<number>()
  readonly text: string
  readonly #readKey: (text: string, start: number, end: number) => string
  readonly #children = new Map<number, Map<string, number>>()
  readonly #items = new Map<number, Int32Array>()

  constructor(text: string, readKey: (text: string, start: number, end: number) => string) {
    const capacity = (text.length >> 4) + 16
    this.text = text
    this.#readKey = readKey
    this.start = new Int32Array(capacity)
    this.end = new Int32Array(capacity)
    this.keyStart = new Int32Array(capacity)
    this.keyEnd = new Int32Array(capacity)
    this.stop = new Int32Array(capacity)
    this.kind = new Uint8Array(capacity)
  }

  /** Begins a node and returns its number. `keyStart` is -1 where the node has no key. */
  open(kind: number, start: number, keyStart: number, keyEnd: number): number {
    const id = this.count++
    if (id >= this.start.length) {
      const capacity = id * 2
      this.start = grown(this.start, capacity)
      this.end = grown(this.end, capacity)
      this.keyStart = grown(this.keyStart, capacity)
      this.keyEnd = grown(this.keyEnd, capacity)
      this.stop = grown(this.stop, capacity)
      const kinds = new Uint8Array(capacity)
      kinds.set(this.kind)
      this.kind = kinds
    }
    this.kind[id] = kind
    this.start[id] = start
    this.end[id] = start
    this.keyStart[id] = keyStart
    this.keyEnd[id] = keyEnd
    this.stop[id] = id + 1
    if (keyStart >= 0) this.entries++
    return id
  }

  /** Ends a node: everything opened since is its subtree. */
  close(id: number, end: number): void {
    this.end[id] = end
    this.stop[id] = this.count
  }

  /** The key of a node, spelled as in the parsed value. */
  key(id: number): string {
    return this.#readKey(this.text, this.keyStart[id] ?? 0, this.keyEnd[id] ?? 0)
  }

  /** The children of a node in the order of the text. */
  *children(id: number): Generator<number> {
    const stop = this.stop[id] ?? 0
    for (let child = id + 1; child < stop; child = this.stop[child] ?? stop) yield child
  }

  /** The node that holds the children: the anchored one for an alias. */
  resolve(id: number): number {
    let at = id
    for (let hops = 0; hops < 64 && this.kind[at] === nodeKind.alias; hops++) {
      const target = this.targets.get(at)
      if (target === undefined) break
      at = target
    }
    return at
  }

  /** The child of a map or sequence, or -1. Keys that come in by a YAML merge (`<<`) are found where they are written. */
  child(parent: number, step: string | number, hops = 0): number {
    const id = this.resolve(parent)
    if (this.kind[id] === nodeKind.sequence) {
      return this.#item(id, Number(step))
    }
    if (this.kind[id] !== nodeKind.map) return -1
    const found = this.#named(id, String(step))
    return found === -1 && hops < 64 ? this.#merged(id, step, hops + 1) : found
  }

  /**
   * The deepest node on the way to `path`, and how many steps of the path it took. `written` stops at an alias instead
   * of continuing in its target.
   */
  find(path: Path, written = false): { readonly id: number; readonly depth: number } {
    let id = 0
    for (let depth = 0; depth < path.length; depth++) {
      const stops = this.count === 0 || (written && this.kind[id] === nodeKind.alias)
      const next = stops ? -1 : this.child(id, path[depth] ?? '')
      if (next === -1) return { id, depth }
      id = next
    }
    return { id, depth: path.length }
  }

  #item(id: number, wanted: number): number {
    const known = this.#items.get(id)
    if (known !== undefined) return known[wanted] ?? -1
    let index = 0
    for (const item of this.children(id)) {
      if (index === wanted) return item
      // A long list is read once, not again for each of its items.
      if (index++ === 64) break
    }
    if (index <= 64) return -1
    const items = Int32Array.from(this.children(id))
    this.#items.set(id, items)
    return items[wanted] ?? -1
  }

  #named(id: number, name: string): number {
    let index = this.#children.get(id)
    if (index === undefined) {
      let seen = 0
      if (!this.repeating.has(id)) {
        for (const child of this.children(id)) {
          if (seen++ === 8) break
          if (this.key(child) === name) return child
        }
        if (seen <= 8) return -1
      }
      index = new Map()
      for (const child of this.children(id)) index.set(this.key(child), child)
      this.#children.set(id, index)
    }
    return index.get(name) ?? -1
  }

  #merged(id: number, step: string | number, hops: number): number {
    const merge = this.#named(id, '<<')
    if (merge === -1) return -1
    const source = this.resolve(merge)
    if (this.kind[source] !== nodeKind.sequence) return this.child(source, step, hops)
    for (const item of this.children(source)) {
      const found = this.child(item, step, hops)
      if (found !== -1) return found
    }
    return -1
  }
}
