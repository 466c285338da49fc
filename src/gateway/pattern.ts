/**
 * Regular expressions of ECMA-262 in the syntax of the engines: RE2 of Coraza, which sees characters, and PCRE as ModSecurity 3
 * calls it, which sees the bytes of UTF-8. Engines look at several lines at once (`^` and `$` hold at line ends), so the ends are
 * written as `\A` and `\z`.
 */
import { utf8 } from '../host/native.ts'
import type { Dialect } from './dialects/dialect.ts'
import { NotRegular, readRegular, type Regular } from '../regex/regular.ts'
import { inOrder, type Span } from '../regex/spans.ts'
import { SizedCache } from '../kernel/sized-cache.ts'

/** `unicode`: characters are code points. `bytes`: they are bytes of UTF-8. */
export type Alphabet = 'unicode' | 'bytes'

/** What the engines of a dialect see. */
export const alphabetOf = ({ comparesBytes }: Pick<Dialect, 'comparesBytes'>): Alphabet =>
  comparesBytes ? 'bytes' : 'unicode'

/** `absolute`: "\\A" and "\\z", because "^" and "$" are those of lines in rules of Coraza. `plain`: "^" and "$", as schemas have them. */
export type Anchors = 'absolute' | 'plain'

/** Why something cannot be said to the engine; the message is a sentence of the report. */
export class Inexpressible extends Error {}

/** RE2 refuses larger counts, and counts within counts whose product is larger. */
const maxRepeats = 1000
const maxDepth = 200
/** How many copies of its characters an expression may come to: the programs of the engines are limited. */
const maxCopies = { unicode: 100_000, bytes: 10_000 } as const

const hex = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`

/**
 * A character beyond ASCII in RE2. Coraza takes an expression for one of bytes if the first two digits are 80 or more. So the number has six
 * digits: its first two are always less.
 */
const codePoint = (point: number): string => (point < 0x80 ? hex(point) : `\\x{${point.toString(16).padStart(6, '0')}}`)

const character = (point: number, alphabet: Alphabet): string => {
  const text = String.fromCodePoint(point)
  if (/[A-Za-z0-9_/-]/.test(text)) return text
  return alphabet === 'unicode' ? codePoint(point) : [...utf8(text)].map(hex).join('')
}

/** A text as a regular expression that matches it, inside of double or single quotes. */
export const literal = (text: string, alphabet: Alphabet): string =>
  Array.from(text.toWellFormed(), (it) => character(it.codePointAt(0) ?? 0, alphabet)).join('')

const inClass = (point: number): string => {
  const text = String.fromCodePoint(point)
  return /[A-Za-z0-9_]/.test(text) ? text : codePoint(point)
}

const classOf = (spans: readonly Span[]): string =>
  `[${spans.map(([from, to]) => (from === to ? inClass(from) : `${inClass(from)}-${inClass(to)}`)).join('')}]`

/** What no text matches. */
const nothing = { unicode: '[^\\x{0}-\\x{10ffff}]', bytes: '[^\\x00-\\xff]' } as const

/** One character beyond ASCII as its bytes, and a byte that belongs to none: there is one way only to read bytes like this. */
const anyOtherBytes = '[\\xc0-\\xff][\\x80-\\xbf]*(?![\\x80-\\xbf])|[\\x80-\\xbf]'

export interface PatternOptions {
  readonly alphabet: Alphabet
  readonly anchors?: Anchors
  /** A plus sign may be a space: so it arrives where the engine decoded a form. */
  readonly plus?: boolean
  /** It is searched for, and written with its ends: the answer is never `whole`. */
  readonly isSearch?: boolean
}

/** An expression for the engine: `whole` ones describe a text from its beginning to its end, others are searched for in it. */
export interface Expression {
  readonly body: string
  readonly whole: boolean
  /** Whether it matches exactly what it was made from; otherwise it matches more. */
  readonly exact: boolean
}

const anchorsOf = (anchors: Anchors = 'absolute') =>
  anchors === 'plain' ? ({ start: '^', end: '$' } as const) : ({ start: '\\A', end: '\\z' } as const)

/** Prints a tree. Every case of it is a case here: what engines read in another way is not exact, or is refused. */
class Printer {
  exact = true
  private readonly options: PatternOptions
  constructor(options: PatternOptions) {
    this.options = options
  }

  /** @param within how often what is printed is repeated already */
  print(tree: Regular, within = 1, depth = 0): string {
    if (depth > maxDepth) throw new Inexpressible('Its pattern nests groups too deeply.')
    switch (tree.op) {
      case 'set':
        return this.set(tree.spans)
      case 'assert':
        return this.assertion(tree.when)
      case 'sequence':
        return tree.parts
          .map((part) => {
            const text = this.print(part, within, depth + 1)
            return part.op === 'choice' ? `(?:${text})` : text
          })
          .join('')
      case 'choice':
        return tree.parts.map((part) => this.print(part, within, depth + 1)).join('|')
      case 'repeat':
        return this.repeat(tree, within, depth)
    }
  }

  private assertion(when: Extract<Regular, { op: 'assert' }>['when']): string {
    // Words are of ASCII in ECMA-262, RE2 and PCRE. Between the bytes of one character no word begins or ends.
    if (when === 'not-word' && this.options.alphabet === 'bytes') this.exact = false
    if (when === 'word' || when === 'not-word') return when === 'word' ? '\\b' : '\\B'
    return anchorsOf(this.options.anchors)[when]
  }

  private set(given: readonly Span[]): string {
    const { alphabet, plus } = this.options
    const isPlus = plus === true && given.some(([from, to]) => from <= 43 && 43 <= to)
    const spans = inOrder(isPlus ? [...given, [32, 32]] : given)
    const [first] = spans
    if (first === undefined) return nothing[alphabet]
    const isSingle = spans.length === 1 && first[0] === first[1]
    if (alphabet === 'bytes' && (spans.at(-1) as Span)[1] >= 0x80) return this.bytes(spans, isSingle)
    return isSingle ? character(first[0], alphabet) : classOf(spans)
  }

  /** A set that reaches beyond ASCII: of the characters there one can be named, or all of them. */
  private bytes(spans: readonly Span[], isSingle: boolean): string {
    const [first] = spans
    // Several bytes are one thing for a quantifier.
    if (isSingle && first !== undefined) return `(?:${character(first[0], 'bytes')})`
    this.exact = false
    const ascii = spans.filter(([from]) => from < 0x80).map(([from, to]): Span => [from, Math.min(to, 0x7f)])
    return ascii.length === 0 ? `(?:${anyOtherBytes})` : `(?:${classOf(ascii)}|${anyOtherBytes})`
  }

  private repeat({ part, min, max }: Extract<Regular, { op: 'repeat' }>, within: number, depth: number): string {
    const most = max === Infinity ? min : max
    if (most * within > maxRepeats)
      throw new Inexpressible('Its pattern repeats something more than 1,000 times, which RE2 refuses.')
    const inner = this.print(part, Math.max(1, most) * within, depth + 1)
    const single = part.op === 'set' && !inner.startsWith('(?:')
    const grouped = single ? inner : `(?:${inner})`
    if (min === 0 && max === Infinity) return `${grouped}*`
    if (min === 1 && max === Infinity) return `${grouped}+`
    if (min === 0 && max === 1) return `${grouped}?`
    if (max === Infinity) return `${grouped}{${min},}`
    return min === max ? `${grouped}{${min}}` : `${grouped}{${min},${max}}`
  }
}

/** How many copies of its characters a tree comes to where its repetitions are written out. */
function copiesOf(tree: Regular): number {
  if ('parts' in tree) return tree.parts.reduce((sum, it) => sum + copiesOf(it), 0)
  if (tree.op !== 'repeat') return 1
  return copiesOf(tree.part) * Math.max(1, tree.max === Infinity ? tree.min : tree.max)
}

const wholeParts = (tree: Regular): Regular | null => {
  if (tree.op !== 'sequence') return null
  const [first, last] = [tree.parts[0], tree.parts.at(-1)]
  if (first?.op !== 'assert' || first.when !== 'start' || last?.op !== 'assert' || last.when !== 'end') return null
  const inner = tree.parts.slice(1, -1)
  return inner.some((it) => it.op === 'assert') ? null : { op: 'sequence', parts: inner }
}

function translate(source: string, options: PatternOptions): Expression {
  let tree: Regular
  try {
    tree = readRegular(source)
  } catch (thrown) {
    if (!(thrown instanceof NotRegular)) throw thrown
    throw new Inexpressible(
      'Its pattern has what RE2 does not: a look around, a reference back, or an escape that is not regular.',
    )
  }
  if (copiesOf(tree) > maxCopies[options.alphabet])
    throw new Inexpressible('Its pattern is too large for the engine: it repeats too much.')
  const printer = new Printer(options)
  const whole = options.isSearch === true ? null : wholeParts(tree)
  const body = printer.print(whole ?? tree)
  return { body, whole: whole !== null, exact: printer.exact && options.plus !== true }
}

/** What was translated; its size is in characters. Policies and documents have the same patterns again and again. */
const known = new SizedCache<Expression>(2_000_000)

/**
 * A pattern (ECMA-262) in the syntax of the engine.
 * @throws Inexpressible where it cannot be said there without refusing more
 */
export function translatePattern(source: string, options: PatternOptions): Expression {
  const key = `${options.alphabet} ${options.anchors} ${options.plus} ${options.isSearch} ${source}`
  const found = known.get(key) ?? translate(source, options)
  known.set(key, found, key.length + found.body.length)
  return found
}

/** The expression as an argument of `@rx`, or as a pattern of a schema. */
export const asOperand = (
  { body, whole }: Pick<Expression, 'body' | 'whole'>,
  anchors: Anchors = 'absolute',
): string => {
  const { start, end } = anchorsOf(anchors)
  return whole ? `${start}(?:${body})${end}` : body
}
