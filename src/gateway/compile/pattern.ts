/**
 * Regular expressions of rules in the syntax of the engines: RE2 of Coraza, PCRE of ModSecurity, which sees bytes. Engines look at
 * several lines at once (`^` and `$` hold at line ends), so the ends are written as `\A` and `\z`.
 */
import { readStructure, UnknownSyntax, type Tree } from '../../regex/structure.ts'
import { patternProblem } from '../policy/rule-check.ts'
import { comparesBytes, type Engine } from './model.ts'
import { codePoint, literal } from './seclang.ts'

export interface Translated {
  readonly pattern: string
  /** Whether it may count bytes where the rule counts characters. */
  readonly isBytes: boolean
}

/** What `\s` is in ECMA-262; engines know a part of it. */
const spaces = '\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
const notSpaces =
  '\u0000-\b\u000e-\u001f!-\u009f¡-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\u{10ffff}'

/** How many copies of its characters a pattern comes to, and how often repetitions in repetitions repeat at most. */
function sizeOf(tree: Tree): { size: number; repeats: number; depth: number } {
  const inner =
    'parts' in tree
      ? tree.parts.map(sizeOf)
      : 'part' in tree
        ? [sizeOf(tree.part)]
        : [{ size: 1, repeats: 1, depth: 0 }]
  const size = inner.reduce((sum, it) => sum + it.size, 0)
  const repeats = Math.max(1, ...inner.map((it) => it.repeats))
  const depth = 1 + Math.max(0, ...inner.map((it) => it.depth))
  if (tree.kind !== 'repeat') return { size, repeats, depth }
  const times = Math.max(1, tree.max === Infinity ? tree.min : tree.max)
  return { size: size * times, repeats: repeats * times, depth }
}

class Unsupported extends Error {}

class Writer {
  private at = 0
  private readonly source: string
  private readonly isBytes: boolean
  wide = false

  constructor(source: string, isBytes: boolean) {
    this.source = source
    this.isBytes = isBytes
  }

  write(): string {
    let out = ''
    while (this.at < this.source.length) out += this.next()
    return out
  }

  private take(): string {
    const character = String.fromCodePoint(this.source.codePointAt(this.at) as number)
    this.at += character.length
    return character
  }

  private ahead(pattern: RegExp): RegExpExecArray | null {
    const found = new RegExp(`^(?:${pattern.source})`, 'u').exec(this.source.slice(this.at, this.at + 200))
    if (found !== null) this.at += found[0].length
    return found
  }

  private next(): string {
    if (this.ahead(/\(\?<[^=!>]+>/) !== null) return '(?:'
    const kind = this.ahead(/\(\?[:\-a-z]*/)
    if (kind !== null) {
      if (kind[0] !== '(?:') throw new Unsupported('it sets flags inside')
      return '(?:'
    }
    const quantifier = this.ahead(/[*+?]\??|\{\d+(?:,\d*)?\}\??/)
    if (quantifier !== null) return quantifier[0]
    const character = this.take()
    if (character === '(') return '(?:'
    if (character === ')' || character === '|') return character
    if (character === '^') return '\\A'
    if (character === '$') return '\\z'
    if (character === '.') return this.anyBut('\n\r\u2028\u2029')
    if (character === '[') return this.set()
    if (character === '\\') return this.escape()
    return this.one(character)
  }

  /** One character outside of a set. */
  private one(character: string): string {
    const text = literal(character, this.isBytes)
    // Several bytes are one thing for a quantifier.
    return character > '\u007f' ? `(?:${text})` : text
  }

  private escape(): string {
    if (this.ahead(/[bB]/) !== null) return `\\${this.source[this.at - 1]}`
    const members = this.ahead(/[dDwWsS]/)
    if (members === null) return this.one(this.code())
    const [letter] = members
    if (letter === 'D' || letter === 'W') this.wide = true
    if (letter !== 's' && letter !== 'S') return `\\${letter}`
    return letter === 's' ? this.setOf(this.ranges(spaces), false) : this.anyBut(spaces)
  }

  /** The character that an escape means. */
  private code(): string {
    if (this.ahead(/[pP]/) !== null) throw new Unsupported('it uses properties of Unicode')
    const number = this.ahead(/u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})/)
    if (number !== null) {
      const unit = Number.parseInt(number.slice(1).find((it) => it !== undefined) ?? '', 16)
      if (unit >= 0xd800 && unit <= 0xdfff) throw new Unsupported('it names half of a surrogate pair')
      return String.fromCodePoint(unit)
    }
    const control = this.ahead(/c([A-Za-z])/)
    if (control !== null) return String.fromCharCode((control[1] as string).charCodeAt(0) % 32)
    const character = this.take()
    const known: Readonly<Record<string, string>> = { t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', '0': '\0' }
    if (/[a-z1-9]/i.test(character) && !Object.hasOwn(known, character)) throw new Unsupported('it refers to a group')
    return known[character] ?? character
  }

  /** Pairs of first and last character of a list as "a-z0-9": used for lists of ours. */
  private ranges(list: string): [string, string][] {
    return [...list.matchAll(/([\s\S])(?:-([\s\S]))?/gu)].map(([, from = '', to = from]) => [from, to])
  }

  private anyBut(list: string): string {
    return this.setOf(this.ranges(list), true)
  }

  private set(): string {
    const negated = this.ahead(/\^/) !== null
    const found: [string, string][] = []
    let classes = ''
    while (this.ahead(/\]/) === null) {
      const members = this.ahead(/\\([dDwWsS])/)
      if (members !== null) {
        const letter = members[1] as string
        if (letter === 's') found.push(...this.ranges(spaces))
        else if (letter === 'S') found.push(...this.ranges(notSpaces))
        else classes += `\\${letter}`
        if (/[DW]/.test(letter)) this.wide = true
        continue
      }
      const from = this.member()
      const isRange = /^-[^\]]/.test(this.source.slice(this.at, this.at + 2))
      if (isRange) this.at++
      found.push([from, isRange ? this.member() : from])
    }
    return this.setOf(found, negated, classes)
  }

  private member(): string {
    if (this.ahead(/\\b/) !== null) return '\b'
    if (this.ahead(/\\-/) !== null) return '-'
    return this.ahead(/\\/) === null ? this.take() : this.code()
  }

  private setOf(found: readonly (readonly [string, string])[], negated: boolean, classes = ''): string {
    const isAscii = (it: string) => it <= '\u007f'
    if (this.isBytes && (negated || found.some(([, to]) => !isAscii(to)))) this.wide = true
    const kept = this.isBytes ? found.filter(([from]) => isAscii(from)) : found
    const inside = kept.map(([from, to]) => (from === to ? this.edge(from) : `${this.edge(from)}-${this.edge(to)}`))
    // A set that reaches beyond ASCII has every byte of it.
    const beyond = this.isBytes && !negated && found.some(([, to]) => !isAscii(to)) ? '\\x80-\\xff' : ''
    const body = inside.join('') + classes + beyond
    if (body !== '') return `[${negated ? '^' : ''}${body}]`
    const all = this.isBytes ? '\\x00-\\xff' : '\\x{0}-\\x{10ffff}'
    return `[${negated ? '' : '^'}${all}]`
  }

  private edge(character: string): string {
    const code = character.codePointAt(0) ?? 0
    if (code > 0x7f) return this.isBytes ? '\\x7f' : codePoint(code)
    return /\w/.test(character) ? character : `\\x${code.toString(16).padStart(2, '0')}`
  }
}

/**
 * Translates a regular expression of ECMA-262 (with the flag "u") to one that the engine runs with the same answers.
 * @returns a sentence where the engine cannot
 */
export function translatePattern(source: string, engine: Engine): Translated | string {
  const problem = patternProblem(source)
  if (problem !== null) return `The pattern cannot be used: ${problem}.`
  const isBytes = comparesBytes(engine)
  try {
    const { size, repeats, depth } = sizeOf(readStructure(source, 'u').tree)
    if (repeats > 1000 || depth > 200 || size > (isBytes ? 10_000 : 100_000))
      return 'The pattern is too large for the engine: it repeats or nests too much.'
    const writer = new Writer(source, isBytes)
    const pattern = writer.write()
    return { pattern, isBytes: isBytes && writer.wide }
  } catch (error) {
    if (error instanceof Unsupported) return `The pattern cannot be used in the engine: ${error.message}.`
    if (error instanceof UnknownSyntax) return 'The pattern uses syntax that the engine does not have.'
    throw error
  }
}
