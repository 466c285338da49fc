/** Whether a request meets an expression, as far as what was recorded of it says. */
import { patternOf } from '../regex/pattern.ts'
import type { Steps } from '../regex/program.ts'
import { isTerm, type Expression, type Term } from './expression.ts'
import { readField, type Field } from './field.ts'
import { readNetwork, relate, rangeOf } from './network.ts'
import { isOdd, opposite, readingsOf, type Lean } from './path-reading.ts'

/** True, false, or unknown where the record lacks what a condition asks for. */
export type Truth = true | false | 'unknown'

/** Values by name; a name that is not there was not sent. */
export type Named = Readonly<Record<string, readonly string[]>>

/** What was recorded of a request. What is undefined was not recorded. */
export interface RequestRecord {
  /** The address of the client, or the network that it is in. */
  readonly ip?: string
  readonly method?: string
  readonly host?: string
  /** As it was sent: percent-encoded, without the query. */
  readonly path?: string
  /** The template of the operation; null: no operation of the document. Where the path is not recorded, it is not an odd one. */
  readonly route?: string | null
  readonly query?: Named
  /** By names in small letters. */
  readonly headers?: Named
  readonly cookies?: Named
  readonly bodySize?: number
  /** Null: the address belongs to no country. */
  readonly country?: string | null
}

/** A record with what all patterns may take on it together; without it each has a budget of its own. */
export type BoundedRecord = RequestRecord & { readonly steps?: Steps }

export const not = (it: Truth): Truth => (it === 'unknown' ? it : !it)
/** False if one is false, otherwise unknown if one is unknown (Kleene). */
export const all = (truths: readonly Truth[]): Truth => {
  if (truths.includes(false)) return false
  return truths.includes('unknown') ? 'unknown' : true
}
export const any = (truths: readonly Truth[]): Truth => not(all(truths.map(not)))

/** Whether one value meets the condition. */
export function compareText({ op, value }: Term, given: string, steps?: Steps): Truth {
  const text = typeof value === 'string' ? value : ''
  switch (op) {
    case 'exists':
      return true
    case 'eq':
      return given === text
    case 'in':
      return (value as readonly string[]).includes(given)
    case 'contains':
      return given.includes(text)
    case 'starts':
      return given.startsWith(text)
    case 'ends':
      return given.endsWith(text)
    case 'matches':
      return patternOf(text, 'u')?.test(given, steps) ?? 'unknown'
    default:
      return 'unknown'
  }
}

export function compareNumber({ op, value }: Term, given: number): Truth {
  if (op === 'in') return (value as readonly number[]).includes(given)
  const bound = Number(value)
  if (op === 'eq') return given === bound
  return op === 'lt' ? given < bound : given > bound
}

function compareAddress({ value }: Term, given: string): Truth {
  const range = readNetwork(given)
  if (typeof range === 'string') return 'unknown'
  const places = (value as readonly string[]).map((it) => relate(range, rangeOf(it)))
  // A network that several of the list cover together is not seen as inside: that is unknown, never wrong.
  if (places.includes('inside')) return true
  return places.includes('part') ? 'unknown' : false
}

function valuesOf({ prefix }: Field, record: RequestRecord): Named | undefined {
  if (prefix === 'http.query') return record.query
  return prefix === 'http.header' ? record.headers : record.cookies
}

function single(id: string, record: RequestRecord): string | null | undefined {
  if (id === 'http.method') return record.method?.toUpperCase()
  if (id === 'http.host') return record.host?.toLowerCase()
  return id === 'http.route' ? record.route : record.country
}

function evaluatePath(term: Term, path: string, lean: Lean, steps?: Steps): Truth {
  const { texts, withoutEnd, isUnclear } = readingsOf(path)
  if (isUnclear) return lean === 'some'
  if (lean === 'every') return all(texts.map((it) => compareText(term, it, steps)))
  return any([...texts, ...(withoutEnd === null ? [] : [withoutEnd])].map((it) => compareText(term, it, steps)))
}

/** Of a path that is odd it is not certain that a server takes it for the operation, or for no other one. */
function evaluateRoute(term: Term, { route, path, steps }: BoundedRecord, lean: Lean): Truth {
  if (route === undefined) return 'unknown'
  const truth = route === null ? false : compareText(term, route, steps)
  if (path === undefined || !isOdd(path)) return truth
  return lean === 'some' ? any([truth, 'unknown']) : false
}

function evaluateTerm(term: Term, record: BoundedRecord, lean: Lean): Truth {
  const field = readField(term.field)
  if (typeof field === 'string') return 'unknown'
  if (field.type === 'ip') return record.ip === undefined ? 'unknown' : compareAddress(term, record.ip)
  if (field.type === 'number') return record.bodySize === undefined ? 'unknown' : compareNumber(term, record.bodySize)
  if (field.type === 'named') {
    const values = valuesOf(field, record)
    if (values === undefined || field.name === null) return 'unknown'
    // One of several values is enough, as in the engines.
    return Object.hasOwn(values, field.name)
      ? any((values[field.name] ?? []).map((it) => compareText(term, it, record.steps)))
      : false
  }
  if (field.id === 'http.path')
    return record.path === undefined ? 'unknown' : evaluatePath(term, record.path, lean, record.steps)
  if (field.id === 'http.route') return evaluateRoute(term, record, lean)
  const value = single(field.id, record)
  if (value === undefined) return 'unknown'
  return value === null ? false : compareText(term, value, record.steps)
}

/**
 * Evaluates an expression that `readExpression` returned.
 * @param lean what the rule asks of the readings of a path: one, or all (`leanOf`)
 * @returns unknown only where what was not recorded decides, or a pattern needs too long
 */
export function evaluate(expression: Expression, record: BoundedRecord, lean: Lean): Truth {
  if (isTerm(expression)) return evaluateTerm(expression, record, lean)
  // Certainly not is: not even possibly.
  if ('not' in expression) return not(evaluate(expression.not, record, opposite(lean)))
  return 'and' in expression
    ? all(expression.and.map((part) => evaluate(part, record, lean)))
    : any(expression.or.map((part) => evaluate(part, record, lean)))
}
