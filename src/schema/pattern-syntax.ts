/** Reads the syntax of regular expressions (ECMA-262, section 22.2.1) into trees, as far as they are regular. */

/** An inclusive range of code points. */
export type Span = readonly [number, number]

export const lastPoint = 0x10ffff
export const anything: readonly Span[] = [[0, lastPoint]]

const digit: readonly Span[] = [[48, 57]]
const word: readonly Span[] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]
const space: readonly Span[] = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]
const lineEnds: readonly Span[] = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
]

/** The code points that no span holds. */
const complement = (spans: readonly Span[]): Span[] => {
  const sorted = [...spans].sort((a, b) => a[0] - b[0])
  const out: Span[] = []
  let next = 0
  for (const [from, to] of sorted) {
    if (from > next) out.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  if (next <= lastPoint) out.push([next, lastPoint])
  return out
}

export class Unsupported extends Error {}

const properties = new Map<string, readonly Span[]>()
const block = 0x10000

/** The code points with a Unicode property such as "L" or "Script=Greek", as the runtime knows them. */
const withProperty = (name: string): readonly Span[] => {
  const known = properties.get(name)
  if (known) return known
  let runs: RegExp
  try {
    runs = new RegExp(`\\p{${name}}+`, 'gu')
  } catch {
    throw new Unsupported()
  }
  const spans: [number, number][] = []
  for (let first = 0; first <= lastPoint; first += block) {
    const points: number[] = []
    // Surrogates alone are not characters.
    for (let point = first; point < first + block; point++) if (point < 0xd800 || point > 0xdfff) points.push(point)
    const text = points.map((point) => String.fromCodePoint(point)).join('')
    for (const [run] of text.matchAll(runs)) {
      const from = run.codePointAt(0)!
      let to = from
      for (const point of run) to = point.codePointAt(0)!
      const last = spans.at(-1)
      if (last && last[1] + 1 === from) last[1] = to
      else spans.push([from, to])
    }
  }
  properties.set(name, spans)
  return spans
}

export type Tree =
  | { readonly op: 'set'; readonly spans: readonly Span[] }
  | { readonly op: 'sequence' | 'choice'; readonly parts: readonly Tree[] }
  | { readonly op: 'repeat'; readonly part: Tree; readonly min: number; readonly max: number }
  | { readonly op: 'assert'; readonly when: 'start' | 'end' }

const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, '0': 0 }

class Reader {
  private at = 0
  private readonly points: readonly string[]
  constructor(source: string) {
    this.points = Array.from(source)
  }

  read(): Tree {
    const tree = this.choice()
    if (this.at < this.points.length) throw new Unsupported()
    return tree
  }

  private peek(): string | undefined {
    return this.points[this.at]
  }

  private take(expected: string): boolean {
    if (this.points[this.at] !== expected) return false
    this.at++
    return true
  }

  private choice(): Tree {
    const parts = [this.sequence()]
    while (this.take('|')) parts.push(this.sequence())
    return parts.length === 1 ? parts[0]! : { op: 'choice', parts }
  }

  private sequence(): Tree {
    const parts: Tree[] = []
    for (let next = this.peek(); next !== undefined && next !== '|' && next !== ')'; next = this.peek()) {
      parts.push(this.quantified(this.atom()))
    }
    return { op: 'sequence', parts }
  }

  private quantified(part: Tree): Tree {
    let bounds: [number, number] | null = null
    if (this.take('*')) bounds = [0, Infinity]
    else if (this.take('+')) bounds = [1, Infinity]
    else if (this.take('?')) bounds = [0, 1]
    else if (this.peek() === '{') bounds = this.braces()
    if (!bounds) return part
    this.take('?') // laziness changes which match is found, not whether there is one
    if (part.op === 'assert') throw new Unsupported()
    return { op: 'repeat', part, min: bounds[0], max: bounds[1] }
  }

  private braces(): [number, number] | null {
    const rest = this.points.slice(this.at, this.at + 24).join('')
    const found = /^\{(\d+)(,(\d*))?\}/.exec(rest)
    if (!found) return null
    this.at += found[0].length
    const min = Number(found[1])
    const max = found[2] === undefined ? min : found[3] === '' ? Infinity : Number(found[3])
    return [min, max]
  }

  private atom(): Tree {
    const point = this.points[this.at++]!
    switch (point) {
      case '^':
        return { op: 'assert', when: 'start' }
      case '$':
        return { op: 'assert', when: 'end' }
      case '.':
        return { op: 'set', spans: complement(lineEnds) }
      case '(':
        return this.group()
      case '[':
        return { op: 'set', spans: this.set() }
      case '\\':
        return { op: 'set', spans: this.escape(false) }
      case '*':
      case '+':
      case '?':
        throw new Unsupported()
      default:
        return { op: 'set', spans: [[point.codePointAt(0)!, point.codePointAt(0)!]] }
    }
  }

  private group(): Tree {
    if (this.take('?')) {
      if (this.take('<')) {
        if (this.peek() === '=' || this.peek() === '!') throw new Unsupported()
        while (this.at < this.points.length && !this.take('>')) this.at++
      } else if (!this.take(':')) throw new Unsupported()
    }
    const tree = this.choice()
    if (!this.take(')')) throw new Unsupported()
    return tree
  }

  private set(): readonly Span[] {
    const negated = this.take('^')
    const spans: Span[] = []
    for (;;) {
      const point = this.points[this.at++]
      if (point === undefined) throw new Unsupported()
      if (point === ']') break
      const from = point === '\\' ? this.escape(true) : one(point)
      if (this.peek() === '-' && this.points[this.at + 1] !== ']' && this.points[this.at + 1] !== undefined) {
        this.at++
        const end = this.points[this.at++]!
        const to = end === '\\' ? this.escape(true) : one(end)
        if (from.length !== 1 || to.length !== 1 || from[0]![0] !== from[0]![1] || to[0]![0] !== to[0]![1]) {
          throw new Unsupported()
        }
        if (from[0]![0] > to[0]![0]) throw new Unsupported()
        spans.push([from[0]![0], to[0]![0]])
      } else spans.push(...from)
    }
    return negated ? complement(spans) : spans
  }

  private escape(inSet: boolean): readonly Span[] {
    const point = this.points[this.at++]
    if (point === undefined) throw new Unsupported()
    switch (point) {
      case 'd':
        return digit
      case 'D':
        return complement(digit)
      case 'w':
        return word
      case 'W':
        return complement(word)
      case 's':
        return space
      case 'S':
        return complement(space)
      case 'b':
        if (inSet) return [[8, 8]]
        throw new Unsupported()
      case 'x':
        return this.hex(2)
      case 'u':
        return this.unicode()
      case 'p':
        return this.property()
      case 'P':
        return complement(this.property())
      case 'B':
      case 'k':
      case 'c':
        throw new Unsupported()
      default:
        if (point in controls) return [[controls[point]!, controls[point]!]]
        if (/[1-9]/.test(point)) throw new Unsupported()
        return one(point)
    }
  }

  private property(): readonly Span[] {
    const end = this.points.indexOf('}', this.at)
    if (!this.take('{') || end < 0) throw new Unsupported()
    const name = this.points.slice(this.at, end).join('')
    this.at = end + 1
    return withProperty(name)
  }

  private unicode(): readonly Span[] {
    if (!this.take('{')) return this.hex(4)
    const end = this.points.indexOf('}', this.at)
    const value = Number.parseInt(this.points.slice(this.at, end).join(''), 16)
    if (end < 0 || Number.isNaN(value) || value > lastPoint) throw new Unsupported()
    this.at = end + 1
    return [[value, value]]
  }

  private hex(length: number): readonly Span[] {
    const text = this.points.slice(this.at, this.at + length).join('')
    if (!/^[0-9a-f]+$/i.test(text) || text.length !== length) throw new Unsupported()
    this.at += length
    const value = Number.parseInt(text, 16)
    if (value >= 0xd800 && value <= 0xdfff) throw new Unsupported()
    return [[value, value]]
  }
}

export const one = (point: string): Span[] => [[point.codePointAt(0)!, point.codePointAt(0)!]]

/** The tree of a pattern; raises `Unsupported` where it is not regular or no pattern at all. */
export const readPattern = (source: string): Tree => new Reader(source).read()
