import { compareNumbers, exactAsJson } from '../document/exact.ts'
import type { Numeric } from '../document/exact.ts'
import { formatSamples, pointsOf } from './accepts.ts'
import { formatShapes } from './format-shapes.ts'
import { fitsFormat } from './validation/formats.ts'
import { canonical } from './node.ts'
import { findNumber } from './numbers.ts'
import { compilePattern, compileRelaxed, findString, literalAutomaton, matches } from './pattern.ts'
import type { Automaton } from './pattern.ts'
import { findShortText } from './short-texts.ts'
import { found, none, unknown } from './answer.ts'
import type { Answer, Literals } from './answer.ts'

/** A number that fits every atom; `taken` are the texts of values that are refused. */
export const solveNumber = ({ yes, no }: Literals, taken: ReadonlySet<string>): Answer => {
  let [low, lowExclusive, high, highExclusive]: [Numeric, boolean, Numeric, boolean] = [
    -Infinity,
    false,
    Infinity,
    false,
  ]
  const raise = (bound: Numeric, exclusive: boolean): void => {
    const order = compareNumbers(bound, low)
    if (order > 0 || (order === 0 && exclusive)) [low, lowExclusive] = [bound, exclusive]
  }
  const lower = (bound: Numeric, exclusive: boolean): void => {
    const order = compareNumbers(bound, high)
    if (order < 0 || (order === 0 && exclusive)) [high, highExclusive] = [bound, exclusive]
  }
  const steps: Numeric[] = []
  const notSteps: Numeric[] = []
  for (const node of yes) {
    if (node.op === 'min') raise(node.bound, node.exclusive)
    else if (node.op === 'max') lower(node.bound, node.exclusive)
    else if (node.op === 'multiple') steps.push(node.step)
  }
  let undecided = false
  for (const node of no) {
    if (node.op === 'min') lower(node.bound, !node.exclusive)
    else if (node.op === 'max') raise(node.bound, !node.exclusive)
    else if (node.op === 'multiple') notSteps.push(node.step)
    else if (node.op === 'format') undecided = true
  }
  const refuses = (value: Numeric): boolean => taken.has(canonical(exactAsJson(value)))
  const value = findNumber({ low, lowExclusive, high, highExclusive, steps, notSteps, refuses })
  if (value === null) return none
  if (undecided) return unknown('no number is known that breaks the format')
  return value === undefined ? unknown('the numbers are too many to try') : found(exactAsJson(value))
}

/** A string that fits every atom; `spend` counts the steps. */
export const solveString = (
  { yes, no }: Literals,
  taken: ReadonlySet<string>,
  spend: (steps: number) => void,
): Answer => {
  let [min, max] = [0, Infinity]
  const wanted: string[] = []
  const refused: string[] = []
  const formats: string[] = []
  const notFormats: string[] = []
  for (const node of yes) {
    if (node.op === 'minLength') min = Math.max(min, node.count)
    else if (node.op === 'maxLength') max = Math.min(max, node.count)
    else if (node.op === 'pattern') wanted.push(node.source)
    else if (node.op === 'format') formats.push(node.name)
  }
  for (const node of no) {
    if (node.op === 'minLength') max = Math.min(max, node.count - 1)
    else if (node.op === 'maxLength') min = Math.max(min, node.count + 1)
    else if (node.op === 'pattern') refused.push(node.source)
    else if (node.op === 'format') notFormats.push(node.name)
  }
  if (min > max) return none
  const isNarrowed = wanted.length + refused.length + taken.size > 0 || min > 0 || max < Infinity
  const shapes = isNarrowed ? formats.flatMap((name) => formatShapes.get(name) ?? []) : []
  const all = [...wanted, ...shapes].map(compilePattern)
  const not = refused.map(compilePattern)
  if (wanted.some((source) => refused.includes(source))) return none
  if (all.includes(null) || not.includes(null)) {
    const fits = (text: string): boolean =>
      !taken.has(canonical(text)) && formats.every((name) => fitsFormat(name, text)) && notFormats.length === 0
    return solveBeyond({ wanted, refused, min, max }, fits, spend)
  }
  const search = { all: all.map((it) => it!), none: not.map((it) => it!), min, max }
  return pick(search, formats, notFormats, taken, spend)
}

/**
 * A string that patterns accept where some of the patterns are not regular. No string exists where the regular parts of them rule out every one;
 * else short strings are tried.
 */
const solveBeyond = (
  wanted: Parameters<typeof findShortText>[0],
  fits: (text: string) => boolean,
  spend: (steps: number) => void,
): Answer => {
  const isKnown = (it: Automaton | null): it is Automaton => it !== null
  const { min, max } = wanted
  // Leaving out a part that has to match, or all of what must not, only adds texts.
  const all = wanted.wanted.map((source) => compilePattern(source) ?? compileRelaxed(source)).filter(isKnown)
  const not = wanted.refused.map(compilePattern).filter(isKnown)
  if (findString({ all, none: not, min, max }, spend) === null) return none
  const text = findShortText(wanted, fits, spend)
  return text === undefined ? unknown('a pattern goes beyond regular expressions') : found(text)
}

const pick = (
  search: Parameters<typeof findString>[0],
  formats: readonly string[],
  notFormats: readonly string[],
  taken: ReadonlySet<string>,
  spend: (steps: number) => void,
): Answer => {
  const texts = [...taken].filter((key) => key.startsWith('"')).map((key) => JSON.parse(key) as string)
  const excluded = new Set(texts)
  const fits = (text: string): boolean => {
    const length = pointsOf(text)
    return (
      length >= search.min &&
      length <= search.max &&
      !excluded.has(text) &&
      search.all.every((it) => matches(it, text)) &&
      !search.none.some((it) => matches(it, text)) &&
      formats.every((name) => fitsFormat(name, text)) &&
      notFormats.every((name) => formatSamples.has(name) && !fitsFormat(name, text))
    )
  }
  for (const name of formats) for (const sample of formatSamples.get(name) ?? []) if (fits(sample)) return found(sample)
  const general =
    search.all.length + search.none.length === 0
      ? plain(search.min, search.max, excluded)
      : findString(
          { ...search, none: excluded.size > 0 ? [...search.none, literalAutomaton(texts)] : search.none },
          spend,
        )
  if (general === null) return none
  if (general !== undefined && fits(general)) return found(general)
  if (notFormats.some((name) => !formatSamples.has(name))) {
    return unknown(`nothing is known about the format ${notFormats.find((name) => !formatSamples.has(name))}`)
  }
  for (const text of ['a b', '!', '\u0000', 'x'.repeat(Math.min(search.min, 300))]) if (fits(text)) return found(text)
  return unknown(
    formats.length + notFormats.length > 0 ? 'no string of the format was found' : 'the pattern is too large',
  )
}

/** A string of the length that is not one of `excluded`. */
const plain = (min: number, max: number, excluded: ReadonlySet<string>): string | null | undefined => {
  if (min > 200_000) return undefined
  if (max === 0) return excluded.has('') ? null : ''
  const first = Math.max(min, 1)
  for (let point = 97; point < 0xd000; point++) {
    const text = String.fromCodePoint(point).repeat(first)
    if (!excluded.has(text)) return text
  }
  return undefined
}
