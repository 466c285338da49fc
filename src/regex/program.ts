/** Regular expressions as programs of a small machine, and two ways to run them that always end. */
import { UnknownSyntax, type Structure, type Tree } from './structure.ts'

type Step =
  | { readonly do: 'take'; readonly fits: (character: string) => boolean; readonly back: boolean }
  | { readonly do: 'split'; first: number; second: number }
  | { readonly do: 'go'; to: number }
  | { readonly do: 'assert'; readonly what: 'start' | 'end' | 'word' | 'not-word'; readonly multiline: boolean }
  | { readonly do: 'look'; readonly inner: Program; readonly negative: boolean }
  | { readonly do: 'save'; readonly slot: number }
  | { readonly do: 'same'; readonly groups: readonly number[]; readonly ignoreCase: boolean; readonly back: boolean }
  /** A round of a loop ends here: it continues only where it consumed something since the mark. */
  | { readonly do: 'mark'; readonly slot: number }
  | { readonly do: 'moved'; readonly slot: number }
  /** Each round of a repetition begins with its groups unset (ECMA-262, RepeatMatcher). */
  | { readonly do: 'forget'; readonly groups: readonly number[] }
  | { readonly do: 'done' }

export interface Program {
  readonly steps: readonly Step[]
  readonly slots: number
  readonly hasBackReference: boolean
}

/** Thrown where an answer would take longer than the budget allows. */
export class OutOfBudget extends Error {}

const maxSteps = 4000

class Compiler {
  readonly steps: Step[] = []
  private readonly structure: Structure
  private readonly slots: { next: number }
  hasBackReference = false

  constructor(structure: Structure, slots: { next: number }) {
    this.structure = structure
    this.slots = slots
  }

  private push<T extends Step>(step: T): T {
    if (this.steps.length >= maxSteps) throw new UnknownSyntax()
    this.steps.push(step)
    return step
  }

  compile(tree: Tree, back: boolean): void {
    switch (tree.kind) {
      case 'atom':
        this.push({ do: 'take', fits: tree.fits, back })
        return
      case 'assert':
        this.push({ do: 'assert', what: tree.what, multiline: tree.multiline })
        return
      case 'sequence':
        for (const part of back ? tree.parts.toReversed() : tree.parts) this.compile(part, back)
        return
      case 'choice':
        return this.choice(tree.parts, back)
      case 'repeat':
        return this.repeat(tree, back)
      case 'group': {
        const slot = tree.index * 2
        this.push({ do: 'save', slot: back ? slot + 1 : slot })
        this.compile(tree.part, back)
        this.push({ do: 'save', slot: back ? slot : slot + 1 })
        return
      }
      case 'back': {
        const groups = typeof tree.to === 'number' ? [tree.to] : (this.structure.names.get(tree.to) ?? [])
        this.hasBackReference = true
        this.push({ do: 'same', groups, ignoreCase: tree.ignoreCase, back })
        return
      }
      case 'look': {
        const inner = new Compiler(this.structure, this.slots)
        inner.compile(tree.part, tree.behind)
        inner.push({ do: 'done' })
        this.hasBackReference ||= inner.hasBackReference
        const program = { steps: inner.steps, slots: 0, hasBackReference: inner.hasBackReference }
        this.push({ do: 'look', inner: program, negative: tree.negative })
      }
    }
  }

  private choice(parts: readonly Tree[], back: boolean): void {
    const ends: { to: number }[] = []
    for (const [index, part] of parts.entries()) {
      const split = index < parts.length - 1 ? this.push({ do: 'split', first: 0, second: 0 }) : null
      if (split !== null) split.first = this.steps.length
      this.compile(part, back)
      if (split === null) continue
      ends.push(this.push({ do: 'go', to: 0 }))
      split.second = this.steps.length
    }
    for (const end of ends) end.to = this.steps.length
  }

  private round(part: Tree, groups: readonly number[], back: boolean): void {
    if (groups.length > 0) this.push({ do: 'forget', groups })
    this.compile(part, back)
  }

  private repeat({ part, min, max, lazy }: Extract<Tree, { kind: 'repeat' }>, back: boolean): void {
    const groups = groupsOf(part)
    for (let round = 0; round < min; round++) this.round(part, groups, back)
    if (max === Infinity) {
      const slot = this.slots.next++
      const start = this.steps.length
      const split = this.push({ do: 'split', first: 0, second: 0 })
      const body = this.steps.length
      this.push({ do: 'mark', slot })
      this.round(part, groups, back)
      this.push({ do: 'moved', slot })
      this.push({ do: 'go', to: start })
      this.aim(split, body, lazy)
      return
    }
    const splits: { split: { first: number; second: number }; body: number }[] = []
    for (let round = min; round < max; round++) {
      const split = this.push({ do: 'split', first: 0, second: 0 })
      splits.push({ split, body: this.steps.length })
      this.round(part, groups, back)
    }
    for (const { split, body } of splits) this.aim(split, body, lazy)
  }

  private aim(split: { first: number; second: number }, body: number, lazy: boolean): void {
    split.first = lazy ? this.steps.length : body
    split.second = lazy ? body : this.steps.length
  }
}

const groupsOf = (tree: Tree): number[] => {
  if (tree.kind === 'sequence' || tree.kind === 'choice') return tree.parts.flatMap(groupsOf)
  if (tree.kind === 'group') return [tree.index, ...groupsOf(tree.part)]
  return tree.kind === 'repeat' || tree.kind === 'look' ? groupsOf(tree.part) : []
}

/**
 * The program of an expression.
 * @throws UnknownSyntax where it would be too large
 */
export function compileProgram(structure: Structure): Program {
  const slots = { next: (structure.groups + 1) * 2 }
  const compiler = new Compiler(structure, slots)
  compiler.compile(structure.tree, false)
  compiler.steps.push({ do: 'done' })
  return { steps: compiler.steps, slots: slots.next, hasBackReference: compiler.hasBackReference }
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character)
const isLineEnd = (character: string | undefined): boolean =>
  character === '\n' || character === '\r' || character === '\u2028' || character === '\u2029'

/** How many steps are left. */
export interface Steps {
  left: number
}

/** One run over one text, whose characters are code units, or code points in Unicode mode. */
export class Run {
  private readonly text: readonly string[]
  private readonly steps: Steps
  private readonly looked = new Map<Program, Map<number, boolean>>()

  /** @param steps how many may be taken before `OutOfBudget` is thrown; those that were are taken off */
  constructor(text: readonly string[], steps: Steps) {
    this.text = text
    this.steps = steps
  }

  /** Whether the program matches anywhere in the text. */
  find(program: Program): boolean {
    if (!program.hasBackReference) return this.simulate(program, 0, true, false)
    for (let at = 0; at <= this.text.length; at++)
      if (
        this.backtrack(
          program,
          at,
          Array.from({ length: program.slots }, () => -1),
        ) !== null
      )
        return true
    return false
  }

  private spend(): void {
    if (--this.steps.left < 0) throw new OutOfBudget()
  }

  private holds(step: Extract<Step, { do: 'assert' }>, at: number): boolean {
    const before = this.text[at - 1]
    const after = this.text[at]
    if (step.what === 'start') return at === 0 || (step.multiline && isLineEnd(before))
    if (step.what === 'end') return at === this.text.length || (step.multiline && isLineEnd(after))
    return (isWord(before) !== isWord(after)) === (step.what === 'word')
  }

  private looks({ inner }: Extract<Step, { do: 'look' }>, at: number): boolean {
    let known = this.looked.get(inner)
    if (known === undefined) this.looked.set(inner, (known = new Map<number, boolean>()))
    let answer = known.get(at)
    if (answer === undefined) {
      const back = inner.steps.some((it) => it.do === 'take' && it.back)
      known.set(at, (answer = this.simulate(inner, at, false, back)))
    }
    return answer
  }

  /**
   * All ways at once, a set of places in the program for each place in the text (Thompson, "Regular expression search
   * algorithm", 1968): as many steps as the text is long times the program is long, at the most.
   */
  private simulate(program: Program, from: number, anywhere: boolean, back: boolean): boolean {
    const { steps } = program
    // In which round a place in the program was last added.
    const added = new Int32Array(steps.length).fill(-1)
    let current: number[] = []
    const stack: number[] = []
    const add = (start: number, at: number, into: number[], round: number): boolean => {
      stack.push(start)
      for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
        if (added[next] === round) continue
        added[next] = round
        this.spend()
        const step = steps[next] as Step
        if (step.do === 'done') {
          stack.length = 0
          return true
        }
        if (step.do === 'take') into.push(next)
        else if (step.do === 'go') stack.push(step.to)
        else if (step.do === 'split') stack.push(step.second, step.first)
        else if (
          step.do === 'assert' ? this.holds(step, at) : step.do !== 'look' || this.looks(step, at) !== step.negative
        )
          stack.push(next + 1)
      }
      return false
    }
    const move = back ? -1 : 1
    for (let at = from, round = 0; ; at += move, round++) {
      if ((anywhere || round === 0) && add(0, at, current, round)) return true
      const character = this.text[back ? at - 1 : at]
      if (character === undefined || (current.length === 0 && !anywhere)) return false
      const following: number[] = []
      for (const place of current) {
        this.spend()
        const step = steps[place] as Extract<Step, { do: 'take' }>
        if (step.fits(character) && add(place + 1, at + move, following, round + 1)) return true
      }
      current = following
    }
  }

  /** One way after the other, as back references need it: only the budget bounds it. Answers the slots of a match. */
  private backtrack(program: Program, from: number, slots: number[]): number[] | null {
    interface Choice {
      readonly step: number
      readonly at: number
      readonly slots: number[]
    }
    const choices: Choice[] = [{ step: 0, at: from, slots }]
    for (let choice = choices.pop(); choice !== undefined; choice = choices.pop()) {
      let { step: next, at, slots: mine } = choice
      for (;;) {
        this.spend()
        const step = program.steps[next] as Step
        if (step.do === 'done') return mine
        if (step.do === 'split') {
          choices.push({ step: step.second, at, slots: mine })
          next = step.first
          continue
        }
        if (step.do === 'go') {
          next = step.to
          continue
        }
        if (step.do === 'take') {
          const character = this.text[step.back ? at - 1 : at]
          if (character === undefined || !step.fits(character)) break
          at += step.back ? -1 : 1
        } else if (step.do === 'assert') {
          if (!this.holds(step, at)) break
        } else if (step.do === 'look') {
          const found = this.backtrack(step.inner, at, mine)
          if ((found !== null) === step.negative) break
          if (found !== null) mine = found
        } else if (step.do === 'moved') {
          if (mine[step.slot] === at) break
        } else if (step.do === 'same') {
          const moved = this.same(step, at, mine)
          if (moved === null) break
          at = moved
        } else if (step.do === 'forget') {
          mine = [...mine]
          for (const group of step.groups) mine[group * 2] = mine[group * 2 + 1] = -1
        } else {
          mine = [...mine]
          mine[step.slot] = at
        }
        next++
      }
    }
    return null
  }

  private same(step: Extract<Step, { do: 'same' }>, at: number, slots: readonly number[]): number | null {
    const group = step.groups.find((it) => (slots[it * 2] ?? -1) >= 0 && (slots[it * 2 + 1] ?? -1) >= 0)
    if (group === undefined) return at
    const said = this.text.slice(slots[group * 2], slots[group * 2 + 1])
    const from = step.back ? at - said.length : at
    const fold = (it: string | undefined) => (step.ignoreCase ? it?.toLowerCase() : it)
    for (const [offset, character] of said.entries()) {
      this.spend()
      if (from + offset < 0 || fold(this.text[from + offset]) !== fold(character)) return null
    }
    return step.back ? from : at + said.length
  }
}
