/** Reads a large JSON text (RFC 8259) a piece at a time, so that whoever reads it can answer others in between. */
import { hasMoreValuesThan, nestsDeeperThan } from './json-depth.ts'

/** What a text may have before it is refused. */
export interface JsonLimits {
  /** Values and keys, each container counted with what opens it. */
  readonly maxValues: number
  /** Levels of arrays and objects. */
  readonly maxDepth: number
}

/** Why a text is refused: `message` goes on after the name of the text ("is not UTF-8"). */
export class JsonFault extends Error {}

type Container = unknown[] | Record<string, unknown>

/** What may come next; `item` and `first key` also take the end of what was opened just before. */
type Expected = 'value' | 'item' | 'key' | 'first key' | 'colon' | 'comma' | 'end'

const described: Readonly<Record<Expected, string>> = {
  value: 'a value',
  item: 'a value or "]"',
  key: 'a key in quotes',
  'first key': 'a key in quotes or "}"',
  colon: '":"',
  comma: '"," or the end of the list or object',
  end: 'nothing more',
}

const quote = 0x22
const backslash = 0x5c
const opened: Readonly<Record<string, () => Container>> = { '[': () => [], '{': () => ({}) }
const literals = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])
const numberSyntax = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** A longer one has no use, and reading sixty million digits takes a second. */
const maxWordLength = 1000

/** A step takes a few milliseconds. */
const charsPerStep = 256 * 1024
const tokensPerStep = 10_000
/** Texts are decoded in pieces of so many characters. */
const charsPerPiece = 64 * 1024
const bytesPerStep = 1024 * 1024

/** Up to here a text is read at once: the worst one takes less than 100 ms. */
const largeBytes = 1024 * 1024

/** A JSON text that is being read. The value is that of `JSON.parse`. */
export class SteppedJson {
  readonly #text: string
  readonly #limits: JsonLimits
  readonly #open: { readonly value: Container; key: string }[] = []
  #at = 0
  #values = 1
  #expected: Expected = 'value'
  /** The pieces of the text within quotes that is being read. */
  #pieces: string[] | null = null
  #line = 1
  #lineStart = 0
  #value: unknown

  constructor(text: string, limits: JsonLimits) {
    this.#text = text
    this.#limits = limits
  }

  /** The value, once `step` has returned true. */
  get value(): unknown {
    return this.#value
  }

  /**
   * Reads on for some milliseconds.
   * @returns whether the text was read to its end
   * @throws JsonFault where it is no JSON, has more than the limits allow, or a NUL character
   */
  step(): boolean {
    const until = this.#at + charsPerStep
    for (let tokens = 0; tokens < tokensPerStep && this.#at < until; tokens++) {
      if (this.#pieces !== null) {
        this.#readPiece(this.#pieces)
        continue
      }
      if (!this.#skipBlank(until)) continue
      if (this.#at < this.#text.length) this.#readToken()
      else if (this.#expected === 'end') return true
      else throw this.#fault(`${described[this.#expected]} is missing: the text ends here`)
    }
    return false
  }

  #fault(what: string): JsonFault {
    return new JsonFault(`is not JSON (line ${this.#line}, column ${this.#at - this.#lineStart + 1}: ${what})`)
  }

  // Line ends are legal between tokens only: whoever skips them knows the line. False where the step is over before the next token.
  #skipBlank(until: number): boolean {
    for (; this.#at < until; this.#at++) {
      const char = this.#text.charCodeAt(this.#at)
      if (Number.isNaN(char)) return true
      if (char === 0x0a) {
        this.#line++
        this.#lineStart = this.#at + 1
      } else if (char !== 0x20 && char !== 0x0d && char !== 0x09) return true
    }
    return false
  }

  #count(): void {
    if (++this.#values > this.#limits.maxValues) throw tooManyValues(this.#limits)
  }

  #readToken(): void {
    const char = this.#text[this.#at] ?? ''
    const expected = this.#expected
    const top = this.#open.at(-1)?.value
    const closer = Array.isArray(top) ? ']' : '}'
    const mayClose = expected === 'item' || expected === 'first key' || expected === 'comma'
    if (mayClose && char === closer) this.#close()
    else if (expected === 'value' || expected === 'item') this.#readValue(char)
    else if ((expected === 'key' || expected === 'first key') && char === '"') this.#beginText()
    else if (expected === 'colon' && char === ':') this.#separate('value')
    else if (expected === 'comma' && char === ',') this.#separate(Array.isArray(top) ? 'value' : 'key')
    else throw this.#fault(`${described[expected]} is expected`)
  }

  #separate(next: Expected): void {
    this.#count()
    this.#at++
    this.#expected = next
  }

  #beginText(): void {
    this.#at++
    this.#pieces = []
  }

  #readValue(char: string): void {
    if (char === '"') return this.#beginText()
    const open = opened[char]
    if (open === undefined) return this.#readWord()
    this.#count()
    if (this.#open.length === this.#limits.maxDepth) throw tooDeep(this.#limits)
    this.#open.push({ value: open(), key: '' })
    this.#at++
    this.#expected = char === '[' ? 'item' : 'first key'
  }

  #readWord(): void {
    const word = /^[-+.\w]*/.exec(this.#text.slice(this.#at, this.#at + maxWordLength + 1))?.[0] ?? ''
    if (word.length > maxWordLength) throw this.#fault(`a number has more than ${maxWordLength} digits`)
    const isNumber = numberSyntax.test(word)
    if (!isNumber && !literals.has(word)) throw this.#fault(`${described[this.#expected]} is expected`)
    this.#at += word.length
    this.#put(isNumber ? Number(word) : literals.get(word))
  }

  /** Reads a piece of a text within quotes, which never ends within an escape. */
  #readPiece(pieces: string[]): void {
    const text = this.#text
    const until = Math.min(text.length, this.#at + charsPerPiece)
    let at = this.#at
    for (; at < until; at++) {
      const char = text.charCodeAt(at)
      if (char === quote) break
      if (char !== backslash) continue
      const isUnicode = text[at + 1] === 'u'
      if (isUnicode && text.startsWith('0000', at + 2)) throw nulFault()
      at += isUnicode ? 5 : 1
    }
    try {
      pieces.push(JSON.parse(`"${text.slice(this.#at, at)}"`) as string)
    } catch {
      throw this.#fault('a text has a control character, or an escape that JSON does not have')
    }
    if (at >= text.length) throw this.#fault('a text in quotes is never closed')
    this.#at = at
    if (text.charCodeAt(at) === quote) this.#endText(pieces)
  }

  #endText(pieces: readonly string[]): void {
    const [first = '', ...more] = pieces
    const text = more.length === 0 ? first : pieces.join('')
    this.#pieces = null
    this.#at++
    const top = this.#open.at(-1)
    if (top === undefined || (this.#expected !== 'key' && this.#expected !== 'first key')) return this.#put(text)
    top.key = text
    this.#expected = 'colon'
  }

  #close(): void {
    this.#at++
    this.#put(this.#open.pop()?.value)
  }

  #put(value: unknown): void {
    const top = this.#open.at(-1)
    this.#expected = top === undefined ? 'end' : 'comma'
    if (top === undefined) this.#value = value
    else if (Array.isArray(top.value)) top.value.push(value)
    // An assignment would set the prototype.
    else if (top.key === '__proto__')
      Object.defineProperty(top.value, top.key, { value, writable: true, enumerable: true, configurable: true })
    else top.value[top.key] = value
  }
}

const tooManyValues = ({ maxValues }: JsonLimits) =>
  new JsonFault(`has more than ${maxValues.toLocaleString('en')} values and keys`)
const tooDeep = ({ maxDepth }: JsonLimits) => new JsonFault(`nests arrays and objects deeper than ${maxDepth} levels`)
// One engine of databases refuses NUL in text and the other keeps it: neither may ever see one.
export const nulFault = () => new JsonFault('contains a NUL character (U+0000), which is not allowed')

/** Whether a JSON text escapes a NUL character. `\\u0000` is a backslash and five characters. */
const escapesNul = (text: string): boolean => text.includes(String.raw`\u0000`) && /(?<!\\)(?:\\\\)*\\u0000/.test(text)

function parseAtOnce(bytes: Uint8Array, limits: JsonLimits): unknown {
  // What is refused for its shape is never built.
  if (hasMoreValuesThan(bytes, limits.maxValues)) throw tooManyValues(limits)
  if (nestsDeeperThan(bytes, limits.maxDepth)) throw tooDeep(limits)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new JsonFault('is not UTF-8')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new JsonFault(`is not JSON (${(error as Error).message})`)
  }
  if (escapesNul(text)) throw nulFault()
  return value
}

/** Decodes UTF-8 in steps. @throws JsonFault for what is not UTF-8 */
async function decodeInSteps(bytes: Uint8Array, rest: () => Promise<void>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const pieces: string[] = []
  try {
    for (let at = 0; at < bytes.length; at += bytesPerStep) {
      pieces.push(decoder.decode(bytes.subarray(at, at + bytesPerStep), { stream: true }))
      await rest()
    }
    pieces.push(decoder.decode())
  } catch {
    throw new JsonFault('is not UTF-8')
  }
  return pieces.join('')
}

/**
 * Reads a JSON text that somebody else wrote: a small one at once, a larger one in steps of some milliseconds.
 * @param rest gives others their turn; called between steps
 * @returns what `JSON.parse` returns
 * @throws JsonFault for what is not UTF-8 or not JSON, has more than the limits allow, or a NUL character
 */
export async function readJson(bytes: Uint8Array, limits: JsonLimits, rest: () => Promise<void>): Promise<unknown> {
  if (bytes.byteLength < largeBytes) return parseAtOnce(bytes, limits)
  const reading = new SteppedJson(await decodeInSteps(bytes, rest), limits)
  while (!reading.step()) await rest()
  return reading.value
}
