/**
 * Decides questions about all requests at once: whether some request meets an expression, or every one. Conditions are chosen to hold
 * or not, one after the other; what was chosen for one part of a request is checked against what that part can be.
 */
import { TextQuestions, type Literal } from './automaton.ts'
import { Effort, OutOfEffort } from './effort.ts'
import { all, any, compareNumber, compareText, not, type Truth } from './evaluate.ts'
import { isTerm, type Expression, type Term } from './expression.ts'
import { readField, type Field } from './field.ts'
import { lastOf, rangeOf, relate, type Family, type Range } from './network.ts'

/** One value of a part, or one stretch of addresses, as the outcomes of the conditions on it. */
interface Cell {
  readonly range: Range | null
  readonly outcomes: ReadonlyMap<Term, boolean>
}

/** What one part of a request can be. */
interface Part {
  readonly field: Field
  readonly terms: readonly Term[]
  /** Whether it can have these outcomes at once. */
  readonly allows: (literals: readonly Literal[]) => boolean
}

/** A chosen outcome for each condition; conditions that are not in it are undecided. */
type Chosen = ReadonlyMap<Term, boolean>

function truthOf(expression: Expression, chosen: Chosen): Truth {
  if (isTerm(expression)) return chosen.get(expression) ?? 'unknown'
  if ('not' in expression) return not(truthOf(expression.not, chosen))
  return 'and' in expression
    ? all(expression.and.map((part) => truthOf(part, chosen)))
    : any(expression.or.map((part) => truthOf(part, chosen)))
}

/** The first condition that is undecided and still matters; undefined where none is left. */
function nextOpen(expression: Expression, chosen: Chosen, isEligible: (term: Term) => boolean): Term | undefined {
  if (truthOf(expression, chosen) !== 'unknown') return undefined
  if (isTerm(expression)) return isEligible(expression) ? expression : undefined
  if ('not' in expression) return nextOpen(expression.not, chosen, isEligible)
  for (const part of 'and' in expression ? expression.and : expression.or) {
    const open = nextOpen(part, chosen, isEligible)
    if (open !== undefined) return open
  }
  return undefined
}

/** The same expression in which equal conditions are one object. */
function shared(expression: Expression, known: Map<string, Term>): Expression {
  if (isTerm(expression)) {
    const key = JSON.stringify([expression.field, expression.op, expression.value ?? null])
    const same = known.get(key) ?? expression
    known.set(key, same)
    return same
  }
  if ('not' in expression) return { not: shared(expression.not, known) }
  return 'and' in expression
    ? { and: expression.and.map((one) => shared(one, known)) }
    : { or: expression.or.map((one) => shared(one, known)) }
}

const always: Expression = { and: [] }
const never: Expression = { or: [] }

function substitute(expression: Expression, values: ReadonlyMap<Term, boolean>): Expression {
  if (isTerm(expression)) {
    const value = values.get(expression)
    if (value === undefined) return expression
    return value ? always : never
  }
  if ('not' in expression) return { not: substitute(expression.not, values) }
  return 'and' in expression
    ? { and: expression.and.map((one) => substitute(one, values)) }
    : { or: expression.or.map((one) => substitute(one, values)) }
}

/** The stretches of addresses between the ends of the networks. */
function addressCells(terms: readonly Term[]): Cell[] {
  const lists = terms.map((term) => ({ term, ranges: (term.value as readonly string[]).map(rangeOf) }))
  return ([4, 6] as const).flatMap((family) => {
    const mine = lists.flatMap(({ ranges }) => ranges).filter((it) => it.family === family)
    const starts = [...new Set([0n, ...mine.flatMap((it) => [it.from, it.to + 1n])])]
      .filter((it) => it <= lastOf(family))
      .sort((a, b) => (a < b ? -1 : 1))
    return starts.map((from, index): Cell => {
      const range: Range = { family, from, to: (starts[index + 1] ?? lastOf(family) + 1n) - 1n }
      const isIn = (ranges: readonly Range[]) => ranges.some((it) => relate(range, it) === 'inside')
      return { range, outcomes: new Map(lists.map(({ term, ranges }) => [term, isIn(ranges)])) }
    })
  })
}

const cellsOf = <T>(terms: readonly Term[], values: readonly T[], meets: (term: Term, value: T) => boolean): Cell[] =>
  values.map((value) => ({ range: null, outcomes: new Map(terms.map((term) => [term, meets(term, value)])) }))

/** Of a method and a country. A country that is not known meets no condition, as another one. */
function listedCells(terms: readonly Term[]): Cell[] {
  const written = terms.flatMap((it) => [it.value ?? []].flat() as string[])
  return cellsOf(terms, ['another', ...written], (term, value) => compareText(term, value) === true)
}

function numberCells(terms: readonly Term[]): Cell[] {
  const bounds = terms.flatMap((it) => [it.value ?? []].flat() as number[])
  const values = [0, ...bounds.flatMap((it) => [it - 1, it, it + 1])].filter((it) => it >= 0)
  return cellsOf(terms, [...new Set(values)], (term, value) => compareNumber(term, value) === true)
}

const universes: Readonly<Record<string, string>> = { 'http.path': '^/', 'http.route': '^/', 'http.host': '^.' }

const allowsText = (field: Field, terms: readonly Term[], effort: Effort): Part['allows'] => {
  const questions = new TextQuestions(terms, universes[field.id] ?? '', effort)
  if (field.id === 'http.route')
    // A request without an operation meets no condition on it.
    return (literals) => literals.every(({ outcome }) => !outcome) || questions.some(literals)
  if (field.type !== 'named') return (literals) => questions.some(literals)
  return (literals) => {
    // A name may be sent several times: each condition is met by a value of its own, and none by any that must not be.
    const excluded = literals.filter(({ outcome }) => !outcome)
    return literals.filter(({ outcome }) => outcome).every((one) => questions.some([one, ...excluded]))
  }
}

const allowsCell =
  (cells: readonly Cell[], effort: Effort): Part['allows'] =>
  (literals) =>
    cells.some(({ outcomes }) => {
      effort.spend()
      return literals.every(({ term, outcome }) => outcomes.get(term) === outcome)
    })

/** The values that parts can have, of those whose values can be listed. */
const listings: Partial<Record<Field['type'], (terms: readonly Term[]) => Cell[]>> = {
  ip: addressCells,
  method: listedCells,
  country: listedCells,
  number: numberCells,
}

function partOf(field: Field, terms: readonly Term[], effort: Effort): Part {
  const cells = listings[field.type]?.(terms)
  return { field, terms, allows: cells === undefined ? allowsText(field, terms, effort) : allowsCell(cells, effort) }
}

/** Questions about the requests that meet one expression. */
export class Question {
  private readonly it: Expression
  private readonly parts = new Map<Term, Part>()
  private readonly effort: Effort

  /** @throws OutOfEffort */
  constructor(expression: Expression, effort: Effort) {
    this.effort = effort
    const known = new Map<string, Term>()
    this.it = shared(expression, known)
    const byField = Map.groupBy(known.values(), (term) => term.field)
    for (const [id, terms] of byField) {
      const field = readField(id)
      if (typeof field === 'string') throw new RangeError(field)
      const part = partOf(field, terms, effort)
      for (const term of terms) this.parts.set(term, part)
    }
  }

  /** The choice with one condition more; null where no request has it. */
  private choose(chosen: Chosen, term: Term, outcome: boolean): Chosen | null {
    this.effort.spend(4)
    const next = new Map([...chosen, [term, outcome] as const])
    const part = this.parts.get(term) as Part
    const literals = part.terms.flatMap((one): Literal[] => {
      const value = next.get(one)
      return value === undefined ? [] : [{ term: one, outcome: value }]
    })
    return part.allows(literals) ? next : null
  }

  /** Whether the conditions that may be chosen can be chosen so that the outcome is certain. */
  private can(expression: Expression, outcome: boolean, isEligible: (term: Term) => boolean, chosen: Chosen): boolean {
    this.effort.spend(4)
    const truth = truthOf(expression, chosen)
    if (truth !== 'unknown') return truth === outcome
    const term = nextOpen(expression, chosen, isEligible)
    if (term === undefined) return false
    return [outcome, !outcome].some((value) => {
      const next = this.choose(chosen, term, value)
      return next !== null && this.can(expression, outcome, isEligible, next)
    })
  }

  /** Whether some request has the outcome. */
  some(outcome = true): boolean {
    return this.can(this.it, outcome, () => true, new Map())
  }

  /** Whether the parts that `isFree` picks can be chosen so that every request that has them meets the expression. */
  everyFor(isFree: (field: Field) => boolean): boolean {
    const free = (term: Term) => isFree((this.parts.get(term) as Part).field)
    const search = (chosen: Chosen): boolean => {
      this.effort.spend(4)
      // One choice of the others that is false whatever the free parts are ends it.
      if (this.can(this.it, false, (term) => !free(term), chosen)) return false
      const term = nextOpen(this.it, chosen, free)
      if (term === undefined) return true
      return [true, false].some((value) => {
        const next = this.choose(chosen, term, value)
        return next !== null && search(next)
      })
    }
    return search(new Map())
  }

  private get addresses(): Cell[] {
    const part = [...this.parts.values()].find(({ field }) => field.type === 'ip')
    return addressCells(part?.terms ?? [])
  }

  /** The addresses of a family from which some request meets the expression. */
  addressesOf(family: Family): Range[] {
    return this.addresses.flatMap(({ range, outcomes }) => {
      if (range?.family !== family) return []
      return this.can(substitute(this.it, outcomes), true, () => true, new Map()) ? [range] : []
    })
  }

  /** Whether some request meets it from one address of a family, and not from another. */
  dependsOnAddress(family: Family): boolean {
    const cells = this.addresses.filter(({ range }) => range?.family === family)
    const texts = cells.map(({ outcomes }) => substitute(this.it, outcomes))
    // Where two addresses differ, two neighbouring stretches do.
    return texts.some((text, index) => {
      const before = texts[index - 1]
      if (before === undefined) return false
      const differs: Expression = { or: [{ and: [before, { not: text }] }, { and: [{ not: before }, text] }] }
      return this.can(differs, true, () => true, new Map())
    })
  }
}

/** How many steps the questions about one rule may take together: below a second. */
export const effortOfRule = (): Effort => new Effort(1_500_000)

/** Runs a question; null where it needs more effort than allowed. */
export function withinEffort<T>(question: () => T): T | null {
  try {
    return question()
  } catch (error) {
    if (error instanceof OutOfEffort) return null
    throw error
  }
}
