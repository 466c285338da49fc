/** The scalars of regular YAML: each is found, checked and written as JSON. */
import type { JsonWriter } from './json-writer.ts'
import { readYamlKey } from './yaml-scalar.ts'

/** Thrown where a text is not regular. */
export class Irregular extends Error {}

export const irregular = new Irregular('not regular YAML')

const newline = 10
const space = 32
const doubleQuote = 34
const hash = 35
const singleQuote = 39
const comma = 44
const dash = 45
const colon = 58
const backslash = 92

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
/** What begins as a number does and is none: a version, a date, a time, an id, or a text with a sign that no number has. */
const noNumber =
  /^(?:\d+(?:\.\d+){2,}|[\da-f]+(?:-[\da-f]+){2,}|\d+(?::\d\d){1,2})$|[ "$%()*/;<=@\\^`ghj-mp-wyzGHJ-MP-WYZ]/
const longestNumber = 24
/** Longer keys are not for every parser. */
const longestKey = 1000

/** The characters that a plain scalar may begin with. */
const begins = new Uint8Array(128)
for (let c = 33; c < 127; c++) begins[c] = '-?:,[]{}#&*!|>\'"%@`'.includes(String.fromCharCode(c)) ? 0 : 1

const mayBegin = (c: number): boolean => c >= 128 || begins[c] === 1
/** Whether another line of a plain scalar may begin so. */
const mayContinue = (c: number, next: number): boolean =>
  mayBegin(c) || (c !== hash && c !== colon && c !== 63 && (c !== dash || (next !== space && next !== newline)))
const isDigit = (c: number): boolean => c >= 48 && c <= 57
const isBracket = (c: number): boolean => c === 91 || c === 93 || c === 123 || c === 125

const words: ReadonlyMap<string, string> = new Map(
  ['null', 'true', 'false'].flatMap((word) => {
    const title = word.charAt(0).toUpperCase() + word.slice(1)
    return [word, title, word.toUpperCase()].map((spelling) => [spelling, word] as const)
  }),
)

/** Where a scalar ends, where to go on, and the start of the line there; -1 where it is the line of before. */
export interface ScalarEnd {
  readonly end: number
  readonly next: number
  readonly lineStart: number
}

export class Scalars {
  readonly #text: string
  readonly #json: JsonWriter

  constructor(text: string, json: JsonWriter) {
    this.#text = text
    this.#json = json
  }

  #isGap(at: number): boolean {
    const c = this.#text.charCodeAt(at)
    return c === space || c === newline || at >= this.#text.length
  }

  #skip(from: number): number {
    let at = from
    while (this.#text.charCodeAt(at) === space) at++
    return at
  }

  /** The offset behind a quoted scalar. */
  #quotedEnd(from: number): number {
    const text = this.#text
    if (text.charCodeAt(from) === singleQuote) {
      for (let at = from + 1; ; at += 2) {
        at = text.indexOf("'", at)
        if (at === -1) throw irregular
        if (text.charCodeAt(at + 1) !== singleQuote) return at + 1
      }
    }
    for (let at = from + 1; at < text.length; at++) {
      const c = text.charCodeAt(at)
      if (c === backslash) at += this.#escape(at)
      else if (c === doubleQuote) return at + 1
    }
    throw irregular
  }

  /** How many characters belong to a backslash in double quotes, where JSON can say what YAML means by it. */
  #escape(at: number): number {
    const c = this.#text.charCodeAt(at + 1)
    if (c !== 117) {
      if (!'"\\/bfnrt \n'.includes(String.fromCharCode(c))) throw irregular
      return 1
    }
    if (!/^(?:[\da-ce-f][\da-f]{3}|d[0-7][\da-f]{2})$/i.test(this.#text.slice(at + 2, at + 6))) throw irregular
    return 5
  }

  /** The colon behind a key on the line of `from`; -1 where none is. */
  colonOf(from: number): number {
    const text = this.#text
    const first = text.charCodeAt(from)
    if (first === doubleQuote || first === singleQuote) {
      const end = this.#quotedEnd(from)
      if (text.charCodeAt(end) !== colon || !this.#isGap(end + 1)) return -1
      if (end - from > longestKey || this.#breakIn(from, end) < end) throw irregular
      return end
    }
    if (first === 91 || first === 123 || (first === dash && isDigit(text.charCodeAt(from + 1)))) return -1
    if (first === 124 || first === 62) return -1
    if (!mayBegin(first)) throw irregular
    for (let at = from; at < text.length; at++) {
      const c = text.charCodeAt(at)
      if (c === colon && this.#isGap(at + 1)) {
        if (at - from > longestKey) throw irregular
        return at
      }
      if (c === newline || (c === hash && text.charCodeAt(at - 1) === space)) return -1
    }
    return -1
  }

  /** Writes a key. */
  key(start: number, end: number): void {
    const text = this.#text
    const json = this.#json
    const first = text.charCodeAt(start)
    if (end === start || (end - start === 9 && text.startsWith('__proto__', start))) throw irregular
    if (first === doubleQuote || first === singleQuote) {
      if (text.startsWith('__proto__', start + 1) || text.slice(start, end).includes('\\')) throw irregular
      return this.#quoted(start, end, -1)
    }
    const odd = first < 65 || (end - start < 6 && 'nNtTfF~'.includes(text.charAt(start)))
    json.sign(doubleQuote)
    if (odd && first !== 47 && first !== 36) {
      const key = readYamlKey(text, start, end)
      if (key !== text.slice(start, end) || key === '<<' || key === '=') throw irregular
    }
    json.copy(start, end)
    json.sign(doubleQuote)
  }

  /** Reads the scalar at `start`, below a collection in the column `parent`. */
  read(start: number, parent: number): ScalarEnd {
    const c = this.#text.charCodeAt(start)
    if (c === doubleQuote || c === singleQuote) {
      const end = this.#quotedEnd(start)
      this.#quoted(start, end, parent)
      return { end, next: end, lineStart: this.#lineBefore(start, end) }
    }
    if (c === 124 || c === 62) return this.#block(start, parent, c === 124)
    return this.#plain(start, parent)
  }

  /** The start of the line of `end` where it begins behind `start`. */
  #lineBefore(start: number, end: number): number {
    for (let at = end - 1; at > start; at--) if (this.#text.charCodeAt(at) === newline) return at + 1
    return -1
  }

  /** Writes a quoted scalar; `parent` is the column that its other lines are right of. */
  #quoted(start: number, end: number, parent: number): void {
    const text = this.#text
    const json = this.#json
    const mark = text.charCodeAt(start)
    const isSingle = mark === singleQuote
    json.sign(doubleQuote)
    let at = start + 1
    for (let broken = this.#breakIn(at, end); broken < end; broken = this.#breakIn(at, end)) {
      if (parent < 0) throw irregular
      const joins = !isSingle && this.#isEscaped(broken)
      const last = joins ? broken - 1 : this.#trimmed(at, broken)
      if (last < broken && !joins && !isSingle && text.charCodeAt(last - 1) === backslash) throw irregular
      json.copy(at, last, mark)
      let count = 0
      let lineStart = broken + 1
      for (;;) {
        count++
        at = this.#skip(lineStart)
        if (text.charCodeAt(at) !== newline) break
        lineStart = at + 1
      }
      if (at - lineStart <= parent || (joins && count > 1)) throw irregular
      if (joins) continue
      if (count === 1) json.sign(space)
      else json.breaks(count - 1)
    }
    json.copy(at, end - 1, mark)
    json.sign(doubleQuote)
  }

  /** The first line break from an offset on, or `to`: what is behind it is not looked at. */
  #breakIn(from: number, to: number): number {
    for (let at = from; at < to; at++) if (this.#text.charCodeAt(at) === newline) return at
    return to
  }

  /** The end of a stretch without the spaces at its end. */
  #trimmed(from: number, to: number): number {
    let end = to
    while (end > from && this.#text.charCodeAt(end - 1) === space) end--
    return end
  }

  /** Whether a backslash escapes the character at an offset. */
  #isEscaped(at: number): boolean {
    let count = 0
    while (this.#text.charCodeAt(at - 1 - count) === backslash) count++
    return count % 2 === 1
  }

  /** The end of a plain scalar's part on the line of `from`. */
  #lineEnd(from: number): number {
    const text = this.#text
    let last = from
    for (let at = from; at < text.length; at++) {
      const c = text.charCodeAt(at)
      if (c === newline) break
      if (c === space) continue
      if (c === hash && text.charCodeAt(at - 1) === space) break
      if (c === colon && this.#isGap(at + 1)) throw irregular
      last = at + 1
    }
    return last
  }

  #plain(start: number, parent: number): ScalarEnd {
    const text = this.#text
    const json = this.#json
    let end = this.#lineEnd(start)
    let next = this.#continued(end, parent)
    if (next === null) {
      this.#simple(start, end)
      return { end, next: end, lineStart: -1 }
    }
    if (!mayBegin(text.charCodeAt(start))) throw irregular
    json.sign(doubleQuote)
    json.copy(start, end)
    let lineStart = -1
    while (next !== null) {
      const { at, breaks } = next
      lineStart = next.lineStart
      if (!mayContinue(text.charCodeAt(at), text.charCodeAt(at + 1))) throw irregular
      if (breaks === 1) json.sign(space)
      else json.breaks(breaks - 1)
      end = this.#lineEnd(at)
      json.copy(at, end)
      next = this.#continued(end, parent)
    }
    json.sign(doubleQuote)
    return { end, next: end, lineStart }
  }

  /** The next line of a plain scalar whose last line ended at `end`; null where there is none. */
  #continued(end: number, parent: number): { at: number; breaks: number; lineStart: number } | null {
    const text = this.#text
    let at = this.#skip(end)
    let breaks = 0
    let lineStart = at
    while (text.charCodeAt(at) === newline) {
      breaks++
      lineStart = at + 1
      at = this.#skip(lineStart)
    }
    if (breaks === 0 || at >= text.length || at - lineStart <= parent || text.charCodeAt(at) === hash) return null
    return { at, breaks, lineStart }
  }

  /** Writes a plain scalar of one line: a word, a number or a text. */
  #simple(start: number, end: number): void {
    const text = this.#text
    const json = this.#json
    const first = text.charCodeAt(start)
    if (first < 58) {
      const isNumber = first === dash || first === 43 || first === 46 || isDigit(first)
      if (isNumber) {
        const plain = text.slice(start, end)
        if (jsonNumber.test(plain) && plain.length < longestNumber && plain !== '-0') return json.copy(start, end)
        if (first === dash || !noNumber.test(plain)) throw irregular
      }
    } else if (end - start < 6) {
      if (first === 126 && end - start === 1) return json.word('null')
      const word = 'nNtTfF'.includes(text.charAt(start)) ? words.get(text.slice(start, end)) : undefined
      if (word !== undefined) return json.word(word)
    }
    if (!mayBegin(first)) throw irregular
    json.sign(doubleQuote)
    json.copy(start, end)
    json.sign(doubleQuote)
  }

  /** Writes the text of a block scalar, literal or folded. */
  #block(start: number, parent: number, isLiteral: boolean): ScalarEnd {
    const text = this.#text
    const json = this.#json
    const sign = text.charCodeAt(start + 1)
    const strips = sign === dash
    const keeps = sign === 43
    const header = this.#skip(strips || keeps ? start + 2 : start + 1)
    if (text.charCodeAt(header) !== newline || parent < 0) throw irregular
    json.sign(doubleQuote)
    let [indent, blanks, widest, wasSpaced] = [-1, 0, 0, false]
    let next = header + 1
    let end = next
    for (;;) {
      const at = this.#skip(next)
      const width = at - next
      if (at >= text.length) {
        if (width > 0) throw irregular
        break
      }
      if (text.charCodeAt(at) === newline) {
        if (indent >= 0 && width > indent) throw irregular
        widest = Math.max(widest, width)
        blanks++
        next = at + 1
        if (keeps) end = next
        continue
      }
      const isFirst = indent < 0
      if (isFirst) {
        if (width <= parent || width < widest) throw irregular
        indent = width
      } else if (width < indent) break
      const found = text.indexOf('\n', at)
      const line = found === -1 ? text.length : found
      const isSpaced = width > indent
      if (isFirst) json.breaks(blanks)
      else if (isLiteral || isSpaced || wasSpaced) json.breaks(blanks + 1)
      else if (blanks === 0) json.sign(space)
      else json.breaks(blanks)
      json.copy(next + indent, line)
      ;[blanks, wasSpaced] = [0, isSpaced]
      next = Math.min(line + 1, text.length)
      end = next
    }
    if (indent < 0) throw irregular
    if (keeps) json.breaks(blanks + 1)
    else if (!strips) json.breaks(1)
    json.sign(doubleQuote)
    return { end, next, lineStart: next }
  }

  /** The end of a scalar in brackets, on its line. */
  flowEnd(start: number, isKey: boolean): number {
    const text = this.#text
    const first = text.charCodeAt(start)
    if (first === doubleQuote || first === singleQuote) {
      const end = this.#quotedEnd(start)
      if (this.#breakIn(start, end) < end) throw irregular
      return end
    }
    if (!mayBegin(first) && !(first === dash && isDigit(text.charCodeAt(start + 1)))) throw irregular
    let last = start
    for (let at = start; ; at++) {
      const c = text.charCodeAt(at)
      if (c === space) continue
      if (c === colon && isKey && this.#isGap(at + 1)) return last
      if (c === comma || isBracket(c)) return last
      if (c === newline || at >= text.length || (c === hash && text.charCodeAt(at - 1) === space)) throw irregular
      if (
        c === colon &&
        (this.#isGap(at + 1) || text.charCodeAt(at + 1) === comma || isBracket(text.charCodeAt(at + 1)))
      )
        throw irregular
      last = at + 1
    }
  }

  /** Writes a scalar in brackets. */
  flow(start: number, end: number): void {
    const first = this.#text.charCodeAt(start)
    if (first === doubleQuote || first === singleQuote) this.#quoted(start, end, -1)
    else this.#simple(start, end)
  }
}
