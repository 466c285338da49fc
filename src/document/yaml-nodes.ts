import { nodeKind, Outline } from './outline.ts'
import { TooDeep } from './too-deep.ts'
import type { YamlCursor } from './yaml-cursor.ts'
import { readYamlKey } from './yaml-scalar.ts'

/** Something that only the scan of a YAML text sees. */
export interface YamlNotice {
  readonly code: 'alias-bomb' | 'alias-cycle' | 'alias-unresolved' | 'key-not-scalar'
  readonly start: number
  readonly end: number
}

export interface YamlBounds {
  readonly maxDepth: number
  /** The most nodes that a document may have once its aliases are replaced by their targets. */
  readonly maxExpandedNodes: number
  /** How many times more nodes there may be then than are written, once there are more than a hundred thousand. */
  readonly maxExpansion: number
}

/** The outline of a YAML text in the making: nodes, anchors, and how much the aliases make of them. */
export class YamlNodes {
  readonly outline: Outline
  readonly notices: YamlNotice[] = []
  /** Whether aliases or merge keys make the value differ from the written nodes. */
  aliased = false
  /** Where the node ended that was closed last. */
  end = 0
  readonly #cursor: YamlCursor
  readonly #bounds: YamlBounds
  readonly #anchors = new Map<string, number>()
  readonly #anchorWeights = new Map<number, number>()
  #weight = 0
  #depth = 0
  #bomb = false
  #heaviest = { weight: 0, start: 0, end: 0 }

  constructor(cursor: YamlCursor, bounds: YamlBounds) {
    this.outline = new Outline(cursor.text, readYamlKey)
    this.#cursor = cursor
    this.#bounds = bounds
  }

  open(kind: number, start: number, keyStart: number, keyEnd: number, anchor: string): number {
    const id = this.outline.open(kind, start, keyStart, keyEnd)
    this.#weight++
    if (anchor !== '') {
      this.#anchors.set(anchor, id)
      this.#anchorWeights.set(id, -this.#weight)
    }
    return id
  }

  close(id: number, end: number): void {
    this.outline.close(id, end)
    this.end = end
    const opened = this.#anchorWeights.get(id)
    if (opened !== undefined) this.#anchorWeights.set(id, this.#weight + opened + 1)
  }

  scalar(start: number, end: number, keyStart: number, keyEnd: number, anchor: string): void {
    this.close(this.open(nodeKind.scalar, start, keyStart, keyEnd, anchor), end)
  }

  // The value is not there: its place is right behind the colon or dash.
  empty(after: number, keyStart: number, keyEnd: number, anchor: string): void {
    this.scalar(after, after, keyStart, keyEnd, anchor)
  }

  alias(keyStart: number, keyEnd: number, inFlow: boolean): void {
    const cursor = this.#cursor
    const start = cursor.at
    const end = cursor.propertyEnd(start, inFlow)
    const id = this.open(nodeKind.alias, start, keyStart, keyEnd, '')
    cursor.at = end
    this.aliased = true
    this.close(id, end)
    const target = this.#anchors.get(cursor.text.slice(start + 1, end))
    if (target === undefined) {
      this.notices.push({ code: 'alias-unresolved', start, end })
      return
    }
    const weight = this.#anchorWeights.get(target) ?? 1
    if (weight <= 0) {
      this.notices.push({ code: 'alias-cycle', start, end })
      return
    }
    this.outline.targets.set(id, target)
    this.#weight += weight
    if (weight > this.#heaviest.weight) this.#heaviest = { weight, start, end }
    if (!this.#bomb && this.#weight > this.#bounds.maxExpandedNodes) {
      this.#bomb = true
      this.notices.push({ code: 'alias-bomb', start, end })
    }
  }

  enter(): void {
    if (++this.#depth > this.#bounds.maxDepth) throw new TooDeep(this.#cursor.at)
  }

  leave(): void {
    this.#depth--
  }

  /** Gives a name to something that no alias can refer to, such as a key. */
  nameKey(anchor: string): void {
    if (anchor !== '') this.#anchors.set(anchor, -1)
  }

  /** Drops the nodes since `mark`: they turned out to be a key. */
  rewind(mark: number, entries: number): void {
    this.outline.count = mark
    this.outline.entries = entries
  }

  /** Says what only the whole document shows. */
  finish(): void {
    if (this.#bomb || this.#weight <= 100_000 || this.#weight <= this.outline.count * this.#bounds.maxExpansion) return
    this.notices.push({ code: 'alias-bomb', start: this.#heaviest.start, end: this.#heaviest.end })
  }
}
