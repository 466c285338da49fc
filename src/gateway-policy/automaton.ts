/** Conditions on one text as automata: whether some text meets some of them and not the others. */
import { compileProgram, type Program } from '../regex/program.ts'
import { readStructure, UnknownSyntax } from '../regex/structure.ts'
import type { Effort } from './effort.ts'
import { compareText } from './evaluate.ts'
import type { Term } from './expression.ts'
import { escapePattern } from '../kernel/text.ts'

type Step = Program['steps'][number]

/** How many texts of a list one program compares: programs are limited in length. */
const chunk = 16

/** The condition as regular expressions, of which one has to match. */
function sourcesOf({ op, value }: Term): string[] {
  const text = typeof value === 'string' ? value : ''
  if (op === 'matches') return [text]
  if (op === 'contains') return [escapePattern(text)]
  if (op === 'starts') return [`^${escapePattern(text)}`]
  if (op === 'ends') return [`${escapePattern(text)}$`]
  const values = Array.isArray(value) ? (value as readonly string[]) : [text]
  return Array.from({ length: Math.ceil(values.length / chunk) }, (_, index) => {
    const part = values.slice(index * chunk, (index + 1) * chunk)
    return `^(?:${part.map(escapePattern).join('|')})$`
  })
}

/** Null where it looks ahead, refers back or asks for ends of words: then its outcome is left open. */
function programOf(source: string): Program | null {
  try {
    const program = compileProgram(readStructure(source, 'u'))
    const isOpen = program.steps.some(
      (it) => it.do === 'look' || it.do === 'same' || (it.do === 'assert' && it.what !== 'start' && it.what !== 'end'),
    )
    return isOpen ? null : program
  } catch (error) {
    if (error instanceof UnknownSyntax || error instanceof SyntaxError) return null
    throw error
  }
}

/** Where one condition is after the characters so far. */
interface State {
  readonly places: readonly number[]
  readonly matched: boolean
}
const matched: State = { places: [], matched: true }

function closure(program: Program, starts: readonly number[], atStart: boolean, atEnd: boolean, effort: Effort): State {
  const seen = new Set<number>()
  const kept: number[] = []
  const stack = [...starts]
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    if (seen.has(place)) continue
    seen.add(place)
    effort.spend()
    const step = program.steps[place] as Step
    if (step.do === 'done') return matched
    if (step.do === 'take') kept.push(place)
    else if (step.do === 'go') stack.push(step.to)
    else if (step.do === 'split') stack.push(step.second, step.first)
    else if (step.do !== 'assert') stack.push(place + 1)
    else if (step.what === 'start' ? atStart : atEnd) stack.push(place + 1)
    else if (step.what === 'end') kept.push(place)
  }
  return { places: kept.sort((a, b) => a - b), matched: false }
}

function advance(program: Program, state: State, character: string, effort: Effort): State {
  if (state.matched) return state
  const next: number[] = []
  for (const place of state.places) {
    effort.spend()
    const step = program.steps[place] as Step
    if (step.do === 'take' && step.fits(character)) next.push(place + 1)
  }
  // A match may begin anywhere.
  return closure(program, [...next, 0], false, false, effort)
}

const finished = (program: Program, state: State, isEmpty: boolean, effort: Effort): boolean =>
  state.matched || closure(program, state.places, isEmpty, true, effort).matched

/** The printable characters of ASCII, and some others: control characters are not in paths, names and values. */
const common: readonly string[] = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCodePoint(0x20 + index)),
  ...Array.from('\u00a0ßéÿĀſ中\u{1f600}'),
]

/** One character of each kind that the programs tell apart. */
function alphabetOf(programs: readonly Program[], written: string): string[] {
  const takes = programs.flatMap(({ steps }) => steps.flatMap((it) => (it.do === 'take' ? [it] : [])))
  const kinds = new Map<string, string>()
  for (const character of new Set([...common, ...Array.from(written)])) {
    const kind = takes.map((it) => (it.fits(character) ? '1' : '0')).join('')
    if (!kinds.has(kind)) kinds.set(kind, character)
  }
  return [...kinds.values()]
}

/** A condition with the outcome that is asked for. */
export interface Literal {
  readonly term: Term
  readonly outcome: boolean
}

/** What is asked of one automaton. */
interface Demand {
  readonly program: Program
  readonly outcome: boolean
}

/** The conditions on one text of a request, as far as they are the same for every question. */
export class TextQuestions {
  private readonly programs = new Map<Term, readonly Program[] | null>()
  private readonly universe: Program
  private readonly alphabet: readonly string[]
  private readonly known = new Map<string, boolean>()
  private readonly effort: Effort

  /**
   * @param terms all conditions on it
   * @param universe what every text of this kind matches, as "^/" of paths
   * @throws OutOfEffort
   */
  constructor(terms: readonly Term[], universe: string, effort: Effort) {
    this.effort = effort
    const whole = programOf(universe)
    if (whole === null) throw new RangeError('the universe is a plain expression')
    this.universe = whole
    const sources = terms.filter(({ op }) => op !== 'exists').map((term) => ({ term, list: sourcesOf(term) }))
    for (const { term, list } of sources) {
      const programs = list.map(programOf)
      this.programs.set(term, programs.some((it) => it === null) ? null : programs.filter((it) => it !== null))
    }
    const known = [...this.programs.values()].flatMap((it) => it ?? [])
    const written = sources.flatMap(({ list }) => list).join('')
    effort.spend(known.reduce((sum, it) => sum + it.steps.length, 0) * 4)
    this.alphabet = alphabetOf([whole, ...known], written)
  }

  /**
   * Whether some text has all outcomes. The outcome of a condition that no automaton can say is left open: it never stops a text.
   * @throws OutOfEffort
   */
  some(literals: readonly Literal[]): boolean {
    const key = literals.map(({ term, outcome }) => JSON.stringify([term.op, term.value, outcome])).join()
    const known = this.known.get(key)
    if (known !== undefined) return known
    const answer = this.search(literals)
    this.known.set(key, answer)
    return answer
  }

  private search(literals: readonly Literal[]): boolean {
    if (literals.some(({ term, outcome }) => term.op === 'exists' && !outcome)) return false
    const listed = literals.find(({ term, outcome }) => outcome && (term.op === 'eq' || term.op === 'in'))
    if (listed !== undefined) {
      const values = [listed.term.value ?? []].flat() as readonly string[]
      this.effort.spend(values.length * literals.length)
      return values.some((value) =>
        literals.every(({ term, outcome }) => [outcome, 'unknown'].includes(compareText(term, value))),
      )
    }
    const demands = literals.flatMap(({ term, outcome }): Demand[] =>
      (this.programs.get(term) ?? []).map((program) => ({ program, outcome })),
    )
    return this.reach([{ program: this.universe, outcome: true }, ...demands])
  }

  /** Follows all automata at once; those that must not match cut the search as soon as they do. */
  private reach(demands: readonly Demand[]): boolean {
    const { effort } = this
    const isLost = (states: readonly State[]) =>
      states.some((it, index) =>
        demands[index]?.outcome === true ? !it.matched && it.places.length === 0 : it.matched,
      )
    const keyOf = (states: readonly State[]) => states.map((it) => (it.matched ? '!' : it.places.join())).join(';')
    const begin = demands.map(({ program }) => closure(program, [0], true, false, effort))
    const seen = new Set([keyOf(begin)])
    const queue = isLost(begin) ? [] : [begin]
    for (let at = 0; at < queue.length; at++) {
      const states = queue[at] as State[]
      if (
        demands.every(
          ({ program, outcome }, index) => finished(program, states[index] as State, at === 0, effort) === outcome,
        )
      )
        return true
      for (const character of this.alphabet) {
        const next = states.map((it, index) => advance((demands[index] as Demand).program, it, character, effort))
        if (isLost(next)) continue
        const key = keyOf(next)
        if (seen.has(key)) continue
        seen.add(key)
        queue.push(next)
      }
    }
    return false
  }
}
