/** Regular expressions in the syntax of the engines: RE2 for Coraza, PCRE over bytes for ModSecurity. */
import { readPattern, Unsupported, type Span, type Tree } from '../../schema/pattern-syntax.ts'

/** `unicode`: characters are code points (RE2). `bytes`: they are bytes of UTF-8 (PCRE as ModSecurity 3 calls it). */
export type Alphabet = 'unicode' | 'bytes'

/** Why something cannot be said to the engine; the message is a sentence of the report. */
export class Inexpressible extends Error {}

/** RE2 refuses larger counts, and counts within counts whose product is larger. */
const mostRepeats = 1000
/** Coraza ends the file at a line of 64 KiB without a word. */
const longest = 16_000
const lastPoint = 0x10ffff

/** Six digits: from the first two Coraza concludes whether an expression is about bytes. */
const hex = (point: number): string =>
  point < 0x80 ? `\\x${point.toString(16).padStart(2, '0')}` : `\\x{${point.toString(16).padStart(6, '0')}}`

/** One character as itself where neither a regular expression nor SecLang reads anything into it. */
const character = (point: number): string => {
  const text = String.fromCodePoint(point)
  if (/[A-Za-z0-9_/@:=~!<>,;&-]/.test(text)) return text
  return /[.+*?()[\]{}^$|]/.test(text) ? `\\${text}` : hex(point)
}

/** A text as an expression that matches it. */
export const literal = (text: string): string => Array.from(text, (it) => character(it.codePointAt(0) ?? 0)).join('')

/** `absolute`: "\\A" and "\\z", because "^" and "$" are those of lines in rules of Coraza. `plain`: "^" and "$", as schemas have them. */
export type Anchors = 'absolute' | 'plain'

interface Options {
  readonly alphabet: Alphabet
  readonly anchors?: Anchors
  /** A plus sign may be a space: so it arrives where the engine decoded a form. */
  readonly plus?: boolean
}

const anchorsOf = (anchors: Anchors = 'absolute') =>
  anchors === 'plain' ? ({ start: '^', end: '$' } as const) : ({ start: '\\A', end: '\\z' } as const)

const inOrder = (spans: readonly Span[]): Span[] => {
  const merged: [number, number][] = []
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

const inClass = (point: number): string => {
  const text = String.fromCodePoint(point)
  return /[A-Za-z0-9_]/.test(text) ? text : hex(point)
}

const classOf = (spans: readonly Span[]): string =>
  `[${spans.map(([from, to]) => (from === to ? inClass(from) : `${inClass(from)}-${inClass(to)}`)).join('')}]`

const anyOtherBytes = '[\\xc2-\\xf4][\\x80-\\xbf]+'

class Printer {
  exact = true
  private readonly options: Options
  constructor(options: Options) {
    this.options = options
  }

  set(given: readonly Span[]): string {
    const holds = (point: number): boolean => given.some(([from, to]) => from <= point && point <= to)
    const spans = inOrder(this.options.plus === true && holds(43) ? [...given, [32, 32]] : given)
    if (spans.length === 0) throw new Inexpressible('Its pattern matches nothing.')
    if (this.options.alphabet === 'bytes') return this.bytes(spans)
    const [first] = spans
    if (spans.length === 1 && first && first[0] === first[1]) return character(first[0])
    return classOf(spans)
  }

  private bytes(spans: readonly Span[]): string {
    const ascii = spans.filter(([from]) => from < 0x80).map(([from, to]): Span => [from, Math.min(to, 0x7f)])
    const others = spans.some(([, to]) => to >= 0x80)
    if (!others) {
      const [first] = ascii
      return ascii.length === 1 && first && first[0] === first[1] ? character(first[0]) : classOf(ascii)
    }
    if (!spans.some(([from, to]) => from <= 0x80 && to === lastPoint)) this.exact = false
    return ascii.length === 0 ? `(?:${anyOtherBytes})` : `(?:${classOf(ascii)}|${anyOtherBytes})`
  }

  /** @param within how often what is printed is repeated already */
  print(tree: Tree, within = 1): string {
    switch (tree.op) {
      case 'set':
        return this.set(tree.spans)
      case 'assert':
        return anchorsOf(this.options.anchors)[tree.when]
      case 'sequence':
        return tree.parts
          .map((part) => (part.op === 'choice' ? `(?:${this.print(part, within)})` : this.print(part, within)))
          .join('')
      case 'choice':
        return tree.parts.map((part) => this.print(part, within)).join('|')
      case 'repeat':
        return this.repeat(tree, within)
    }
  }

  private repeat({ part, min, max }: Extract<Tree, { op: 'repeat' }>, within: number): string {
    const most = (max === Infinity ? min : max) * within
    if (most > mostRepeats)
      throw new Inexpressible('Its pattern repeats something more than 1,000 times, which RE2 refuses.')
    const inner = this.print(part, Math.max(1, max === Infinity ? min : max) * within)
    const single = part.op === 'set' && !inner.startsWith('(?:')
    const grouped = single ? inner : `(?:${inner})`
    if (min === 0 && max === Infinity) return `${grouped}*`
    if (min === 1 && max === Infinity) return `${grouped}+`
    if (min === 0 && max === 1) return `${grouped}?`
    if (max === Infinity) return `${grouped}{${min},}`
    return min === max ? `${grouped}{${min}}` : `${grouped}{${min},${max}}`
  }
}

/** An expression for the engine: `whole` ones describe a text from its beginning to its end, others are searched for in it. */
export interface Expression {
  readonly body: string
  readonly whole: boolean
  /** Whether it matches exactly what it was made from; otherwise it matches more. */
  readonly exact: boolean
}

const wholeParts = (tree: Tree): Tree | null => {
  if (tree.op !== 'sequence' || tree.parts.length < 2) return null
  const [first, last] = [tree.parts[0], tree.parts.at(-1)]
  if (first?.op !== 'assert' || first.when !== 'start' || last?.op !== 'assert' || last.when !== 'end') return null
  const inner = tree.parts.slice(1, -1)
  return inner.some((it) => it.op === 'assert') ? null : { op: 'sequence', parts: inner }
}

const known = new Map<string, Expression | Inexpressible>()

const translate = (source: string, options: Options): Expression => {
  let tree: Tree
  try {
    tree = readPattern(source)
  } catch (thrown) {
    if (!(thrown instanceof Unsupported || thrown instanceof RangeError)) throw thrown
    throw new Inexpressible(
      'Its pattern has what RE2 does not: a look around, a reference back, or an escape that is not regular.',
    )
  }
  const printer = new Printer(options)
  const whole = wholeParts(tree)
  const body = printer.print(whole ?? tree)
  if (body.length > longest) throw new Inexpressible('Its pattern is too long for a line of the configuration.')
  return { body, whole: whole !== null, exact: printer.exact && options.plus !== true }
}

/**
 * A pattern of JSON Schema (ECMA-262) in the syntax of the engine.
 *
 * @throws Inexpressible where it cannot be said there without refusing more
 */
export function translatePattern(source: string, options: Options): Expression {
  const key = `${options.alphabet} ${options.anchors} ${options.plus} ${source}`
  let found = known.get(key)
  if (found === undefined) {
    try {
      found = translate(source, options)
    } catch (thrown) {
      if (!(thrown instanceof Inexpressible)) throw thrown
      found = thrown
    }
    if (known.size > 20_000) known.clear()
    known.set(key, found)
  }
  if (found instanceof Inexpressible) throw found
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
