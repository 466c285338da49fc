/**
 * Regular expressions of ECMA-262, as far as they are regular, as automata: what JSON Schema's `pattern` means is a set of
 * strings, so questions about two patterns are questions about two sets. Lookaround, back references and word boundaries
 * are outside of it; for those `compilePattern` answers null and the caller says "unknown".
 */

import { NotRegular, readRegular, type Regular } from '../regex/regular.ts'
import { anything, lastPoint, one, type Span } from '../regex/spans.ts'

const sizeLimit = 4000

interface State {
  /** Moves that consume one code point. */
  readonly moves: { readonly spans: readonly Span[]; readonly to: number }[]
  /** Moves that consume nothing; "start" and "end" are open only at that place of the text. */
  readonly jumps: { readonly when: 'always' | 'start' | 'end'; readonly to: number }[]
}

/** A pattern as a nondeterministic automaton over whole strings (JSON Schema patterns are searches, not full matches). */
export interface Automaton {
  readonly states: readonly State[]
  readonly start: number
  readonly accept: number
}

class Builder {
  readonly states: State[] = []
  private appended = 0

  state(): number {
    if (this.states.length >= sizeLimit) throw new NotRegular()
    this.states.push({ moves: [], jumps: [] })
    return this.states.length - 1
  }

  jump(from: number, to: number, when: 'always' | 'start' | 'end' = 'always'): void {
    this.states[from]!.jumps.push({ when, to })
  }

  /** Appends `tree` after the state `from` and answers the state behind it. */
  append(tree: Regular, from: number): number {
    // What is repeated and empty makes no states.
    if (++this.appended > 10 * sizeLimit) throw new NotRegular()
    switch (tree.op) {
      case 'set': {
        const to = this.state()
        this.states[from]!.moves.push({ spans: tree.spans, to })
        return to
      }
      case 'assert': {
        if (tree.when !== 'start' && tree.when !== 'end') throw new NotRegular()
        const to = this.state()
        this.jump(from, to, tree.when)
        return to
      }
      case 'sequence':
        return tree.parts.reduce((at, part) => this.append(part, at), from)
      case 'choice': {
        const end = this.state()
        for (const part of tree.parts) {
          const begin = this.state()
          this.jump(from, begin)
          this.jump(this.append(part, begin), end)
        }
        return end
      }
      case 'repeat':
        return this.repeat(tree, from)
    }
  }

  private repeat(tree: Extract<Regular, { op: 'repeat' }>, from: number): number {
    let at = from
    for (let i = 0; i < tree.min; i++) at = this.append(tree.part, at)
    if (tree.max === Infinity) {
      const loop = this.state()
      this.jump(at, loop)
      this.jump(this.append(tree.part, loop), loop)
      return loop
    }
    const end = this.state()
    for (let i = tree.min; i < tree.max; i++) {
      this.jump(at, end)
      at = this.append(tree.part, at)
    }
    this.jump(at, end)
    return end
  }
}

const compiled = new Map<string, Automaton | null>()

/**
 * The automaton of a pattern; null when the pattern is not regular, too large, or no regular expression at all.
 * Raises nothing.
 */
export const compilePattern = (source: string): Automaton | null => compile(source, false)

/** The automaton of at least what a pattern matches: what is not regular in it is left out. Null where even that is too large. */
export const compileRelaxed = (source: string): Automaton | null => compile(source, true)

const compile = (source: string, relaxed: boolean): Automaton | null => {
  const key = `${relaxed ? 'relaxed' : 'exact'} ${source}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  let result: Automaton | null = null
  try {
    const tree = readRegular(source, relaxed)
    const builder = new Builder()
    const start = builder.state()
    builder.states[start]!.moves.push({ spans: anything, to: start })
    const accept = builder.append(tree, start)
    builder.states[accept]!.moves.push({ spans: anything, to: accept })
    result = { states: builder.states, start, accept }
  } catch (thrown) {
    // Groups within groups end somewhere.
    if (!(thrown instanceof NotRegular || thrown instanceof RangeError)) throw thrown
  }
  if (compiled.size > 20_000) compiled.clear()
  compiled.set(key, result)
  return result
}

/** The automaton that accepts exactly the given strings; what begins alike shares its states. */
export const literalAutomaton = (texts: readonly string[]): Automaton => {
  const states: State[] = []
  const state = (): number => states.push({ moves: [], jumps: [] }) - 1
  const [start, accept, root] = [state(), state(), state()]
  states[start]!.jumps.push({ when: 'start', to: root })
  const children = new Map<string, number>()
  for (const text of texts) {
    let at = root
    for (const point of text) {
      const key = `${at} ${point}`
      let next = children.get(key)
      if (next === undefined) {
        next = state()
        children.set(key, next)
        states[at]!.moves.push({ spans: one(point), to: next })
      }
      at = next
    }
    if (states[at]!.jumps.length === 0) states[at]!.jumps.push({ when: 'end', to: accept })
  }
  return { states, start, accept }
}

const closure = (automaton: Automaton, seeds: readonly number[], atStart: boolean, atEnd: boolean): number[] => {
  const seen = new Set(seeds)
  const queue = [...seeds]
  for (let state = queue.pop(); state !== undefined; state = queue.pop()) {
    for (const jump of automaton.states[state]!.jumps) {
      if (seen.has(jump.to)) continue
      if (jump.when === 'start' && !atStart) continue
      if (jump.when === 'end' && !atEnd) continue
      seen.add(jump.to)
      queue.push(jump.to)
    }
  }
  return [...seen].sort((a, b) => a - b)
}

const accepts = (automaton: Automaton, states: readonly number[], atStart: boolean): boolean =>
  closure(automaton, states, atStart, true).includes(automaton.accept)

/** Whether a pattern finds a match in `text`. */
export const matches = (automaton: Automaton, text: string): boolean => {
  let states = closure(automaton, [automaton.start], true, false)
  let first = true
  for (const point of text) {
    states = step(automaton, states, point.codePointAt(0)!)
    first = false
  }
  return accepts(automaton, states, first)
}

const step = (automaton: Automaton, states: readonly number[], point: number): number[] => {
  const next = new Set<number>()
  for (const state of states) {
    for (const move of automaton.states[state]!.moves) {
      if (move.spans.some(([from, to]) => point >= from && point <= to)) next.add(move.to)
    }
  }
  return closure(automaton, [...next], false, false)
}

/** One code point of every class that the automata cannot tell apart; readable ones where the class has any. */
const alphabet = (automata: readonly Automaton[]): number[] => {
  const cuts = new Set<number>([0, 0xd800, 0xe000])
  for (const automaton of automata) {
    for (const state of automaton.states) {
      for (const move of state.moves) {
        for (const [from, to] of move.spans) {
          cuts.add(from)
          cuts.add(to + 1)
        }
      }
    }
  }
  for (const readable of [97, 123, 48, 58, 65, 91, 32, 127]) cuts.add(readable)
  const sorted = [...cuts].filter((cut) => cut <= lastPoint && (cut < 0xd800 || cut >= 0xe000)).sort((a, b) => a - b)
  const rank = (point: number): number => {
    if (point >= 97 && point <= 122) return 0
    if (point >= 48 && point <= 57) return 1
    if (point >= 65 && point <= 90) return 2
    return point > 32 && point < 127 ? 3 : 4
  }
  return sorted.sort((a, b) => rank(a) - rank(b) || a - b)
}

/** What to look for: a string that matches every pattern of `all` and none of `none`, its length in code points. */
export interface StringSearch {
  readonly all: readonly Automaton[]
  readonly none: readonly Automaton[]
  readonly min: number
  readonly max: number
}

/**
 * A shortest string of the search; null when there is none; undefined when the bound on visited states was reached first.
 * `spend` counts the steps and may end the search by throwing.
 */
export const findString = (
  search: StringSearch,
  spend: (steps: number) => void,
  bound = 20_000,
): string | null | undefined => {
  const automata = [...search.all, ...search.none]
  spend(automata.reduce((sum, automaton) => sum + automaton.states.length, 0) / 50)
  const points = alphabet(automata)
  interface Visit {
    readonly states: readonly (readonly number[])[]
    readonly length: number
    readonly parent: Visit | null
    readonly point: number
  }
  const memo = new Map<string, readonly (readonly number[])[]>()
  const seen = new Set<string>()
  const start = automata.map((automaton) => closure(automaton, [automaton.start], true, false))
  let layer: Visit[] = [{ states: start, length: 0, parent: null, point: 0 }]
  let visited = 0
  while (layer.length > 0) {
    const next: Visit[] = []
    for (const visit of layer) {
      const done =
        visit.length >= search.min &&
        search.all.every((automaton, i) => accepts(automaton, visit.states[i]!, visit.length === 0)) &&
        search.none.every(
          (automaton, i) => !accepts(automaton, visit.states[search.all.length + i]!, visit.length === 0),
        )
      if (done) {
        const text: string[] = []
        for (let at: Visit = visit; at.parent; at = at.parent) text.push(String.fromCodePoint(at.point))
        return text.reverse().join('')
      }
      if (visit.length >= search.max) continue
      const key = visit.states.map((states) => states.join(',')).join(';')
      for (const point of points) {
        if (++visited > bound) return undefined
        const edge = `${key}@${point}`
        let states = memo.get(edge)
        if (!states) {
          spend(automata.length / 20 + visit.states.reduce((sum, it) => sum + it.length, 0) / 50)
          states = automata.map((automaton, i) => step(automaton, visit.states[i]!, point))
          memo.set(edge, states)
        }
        // A pattern that can no longer match ends the way.
        if (search.all.some((_, i) => states[i]!.length === 0)) continue
        const length = visit.length + 1
        const id = `${states.map((it) => it.join(',')).join(';')}#${Math.min(length, search.min)}`
        if (seen.has(id)) continue
        seen.add(id)
        next.push({ states, length, parent: visit, point })
      }
    }
    layer = next
  }
  return null
}
