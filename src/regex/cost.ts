/** How long the runtime's own matcher, which tries one way after the other, may take at the most. */
import type { Atom, Tree } from './structure.ts'

export interface Cost {
  /** How many ways are tried from one place. */
  readonly ways: number
  /** The time grows at most with this power of the length of the text; infinite where it may double with each character. */
  readonly power: number
}

// A repetition without an end, or one so long that it might as well have none.
const isLoop = (tree: Tree): boolean => tree.kind === 'repeat' && tree.max > 16

const contains = (tree: Tree, test: (it: Tree) => boolean): boolean => {
  if (test(tree)) return true
  if (tree.kind === 'sequence' || tree.kind === 'choice') return tree.parts.some((it) => contains(it, test))
  return 'part' in tree && contains(tree.part, test)
}

const countLoops = (tree: Tree): number => {
  if (tree.kind === 'sequence' || tree.kind === 'choice') return tree.parts.reduce((sum, it) => sum + countLoops(it), 0)
  return 'part' in tree ? countLoops(tree.part) + (isLoop(tree) ? 1 : 0) : 0
}

// How many ways there are through what has no loop: each is tried where the one before it failed.
const waysOf = (tree: Tree): number => {
  if (tree.kind === 'choice') return tree.parts.reduce((sum, it) => sum + waysOf(it), 0)
  if (tree.kind === 'sequence') return tree.parts.reduce((product, it) => product * waysOf(it), 1)
  if (tree.kind === 'repeat' && !isLoop(tree)) return (tree.max - tree.min + 1) * waysOf(tree.part) ** tree.max
  return 'part' in tree ? waysOf(tree.part) : 1
}

const hasChoice = (tree: Tree): boolean => contains(tree, isLoop) || waysOf(tree) > 1

const startsAnchored = (tree: Tree): boolean => {
  if (tree.kind === 'assert') return tree.what === 'start' && !tree.multiline
  if (tree.kind === 'sequence') return tree.parts.length > 0 && startsAnchored(tree.parts[0] as Tree)
  if (tree.kind === 'choice') return tree.parts.every(startsAnchored)
  return tree.kind === 'group' && startsAnchored(tree.part)
}

/**
 * The positions of an expression and which may follow which (Glushkov, "The abstract theory of automata", 1961), built
 * only as long as the matcher never has two ways to continue: then it never backtracks.
 */
class Positions {
  private readonly atoms: Set<number>[] = []
  private readonly follow: Set<number>[] = []
  /** False as soon as two ways over one character were found. */
  certain = true

  private clash(list: readonly number[]): boolean {
    for (const [index, one] of list.entries())
      for (const other of list.slice(index + 1))
        for (const character of this.atoms[one] as Set<number>)
          if ((this.atoms[other] as Set<number>).has(character)) return true
    return false
  }

  private connect(last: readonly number[], first: readonly number[]): void {
    for (const from of last) {
      const known = this.follow[from] as Set<number>
      for (const to of first) {
        // Two constructs that lead to the same place are two ways as well.
        if (known.has(to)) this.certain = false
        known.add(to)
      }
      if (this.certain && this.clash([...known])) this.certain = false
    }
  }

  private atom({ fits }: Atom): Ends {
    const characters = new Set<number>()
    for (let code = 0; code < 128; code++) if (fits(String.fromCharCode(code))) characters.add(code)
    this.atoms.push(characters)
    this.follow.push(new Set())
    const place = [this.atoms.length - 1]
    return { first: place, last: place, empty: false }
  }

  read(tree: Tree): Ends {
    if (!this.certain || this.atoms.length > 200) return this.giveUp()
    if (tree.kind === 'atom') return this.atom(tree)
    if (tree.kind === 'assert')
      return tree.what === 'start' || tree.what === 'end' ? { first: [], last: [], empty: true } : this.giveUp()
    if (tree.kind === 'group') return this.read(tree.part)
    if (tree.kind === 'sequence') return tree.parts.map((it) => () => this.read(it)).reduce(this.join, nothing)
    if (tree.kind === 'choice') return this.choose(tree.parts)
    if (tree.kind === 'repeat') return this.repeat(tree)
    return this.giveUp()
  }

  private giveUp(): Ends {
    this.certain = false
    return nothing
  }

  private readonly join = (left: Ends, readRight: () => Ends): Ends => {
    const right = readRight()
    this.connect(left.last, right.first)
    const first = left.empty ? [...left.first, ...right.first] : left.first
    if (this.clash(first)) this.certain = false
    return {
      first,
      last: right.empty ? [...left.last, ...right.last] : right.last,
      empty: left.empty && right.empty,
    }
  }

  private choose(parts: readonly Tree[]): Ends {
    const ends = parts.map((it) => this.read(it))
    const first = ends.flatMap((it) => it.first)
    if (this.clash(first) || ends.filter((it) => it.empty).length > 1) this.certain = false
    return { first, last: ends.flatMap((it) => it.last), empty: ends.some((it) => it.empty) }
  }

  private repeat({ part, min, max }: Extract<Tree, { kind: 'repeat' }>): Ends {
    if (max === 1) {
      const once = this.read(part)
      if (once.empty && min === 0) this.certain = false
      return { ...once, empty: once.empty || min === 0 }
    }
    // Counted rounds are unrolled by the reader of a program; here a count is as uncertain as it is long.
    if (max !== Infinity || min > 1) return max === min && max <= 16 ? this.unroll(part, max) : this.giveUp()
    const body = this.read(part)
    if (body.empty) this.certain = false
    this.connect(body.last, body.first)
    return { ...body, empty: min === 0 }
  }

  private unroll(part: Tree, times: number): Ends {
    let all = nothing
    for (let round = 0; round < times; round++) all = this.join(all, () => this.read(part))
    return all
  }
}

interface Ends {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly empty: boolean
}
const nothing: Ends = { first: [], last: [], empty: true }

/** Whether the matcher has one way only over texts of ASCII characters, from the start of the text. */
export function isCertain(tree: Tree): boolean {
  if (!startsAnchored(tree)) return false
  const positions = new Positions()
  positions.read(tree)
  return positions.certain
}

/** What the runtime's matcher may cost. */
export function costOf(tree: Tree): Cost {
  // What is chosen inside of a loop is chosen again in each round.
  if (contains(tree, (it) => it.kind === 'back' || (it.kind === 'repeat' && isLoop(it) && hasChoice(it.part))))
    return { ways: Infinity, power: Infinity }
  return { ways: waysOf(tree), power: countLoops(tree) + (startsAnchored(tree) ? 0 : 1) }
}
