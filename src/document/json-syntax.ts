/** The first place where a text breaks the grammar of JSON, as offsets, and what was expected there. */
export interface SyntaxFault {
  readonly start: number
  readonly end: number
  readonly message: string
}

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y
const word = /[^\s,:[\]{}"]+/y

const describe = (text: string, at: number): { readonly shown: string; readonly end: number } => {
  if (at >= text.length) return { shown: 'the end of the document', end: at }
  word.lastIndex = at
  const found = word.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 0)
  const shown = found.length > 24 ? `${found.slice(0, 24)}…` : found
  return { shown: JSON.stringify(shown), end: at + found.length }
}

// One-based, as editors count.
const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** Checks one text against RFC 8259 without recursion. */
class JsonChecker {
  readonly #text: string
  #at: number
  // One entry for each open bracket: its code and offset.
  readonly #open: { readonly code: number; readonly at: number }[] = []

  constructor(text: string) {
    this.#text = text
    this.#at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  }

  run(): SyntaxFault | null {
    for (;;) {
      const fault = this.#value()
      if (fault !== null) return fault
      const next = this.#afterValue()
      if (next === 'done') return null
      if (next !== 'value') return next
    }
  }

  #skip(): number {
    for (;;) {
      const c = this.#text.charCodeAt(this.#at)
      if (c === 32 || c === 10 || c === 13 || c === 9) this.#at++
      else return c
    }
  }

  #fault(expected: string, start = this.#at): SyntaxFault {
    const { shown, end } = describe(this.#text, start)
    return { start, end, message: `expected ${expected}, found ${shown}` }
  }

  // Reads up to and including a scalar or an empty collection, opening brackets on the way.
  #value(): SyntaxFault | null {
    for (;;) {
      const c = this.#skip()
      if (c === 123) {
        this.#open.push({ code: c, at: this.#at++ })
        if (this.#skip() === 125) return this.#shut()
        const fault = this.#key('a property name in double quotes or "}"')
        if (fault !== null) return fault
      } else if (c === 91) {
        this.#open.push({ code: c, at: this.#at++ })
        if (this.#skip() === 93) return this.#shut()
      } else return this.#scalar(c)
    }
  }

  #shut(): null {
    this.#open.pop()
    this.#at++
    return null
  }

  #scalar(c: number): SyntaxFault | null {
    if (c === 34) return this.#string()
    for (const literal of ['true', 'false', 'null'])
      if (
        this.#text.startsWith(literal, this.#at) &&
        describe(this.#text, this.#at).end === this.#at + literal.length
      ) {
        this.#at += literal.length
        return null
      }
    number.lastIndex = this.#at
    const digits = number.exec(this.#text)?.[0]
    if (digits === undefined || describe(this.#text, this.#at).end !== this.#at + digits.length)
      return this.#fault('a value')
    this.#at += digits.length
    return null
  }

  #string(): SyntaxFault | null {
    const start = this.#at
    const text = this.#text
    for (this.#at++; ; this.#at++) {
      const c = text.charCodeAt(this.#at)
      if (c === 34) {
        this.#at++
        return null
      }
      if (Number.isNaN(c) || c === 10 || c === 13) return { start, end: this.#at, message: 'unterminated string' }
      if (c < 32)
        return {
          start: this.#at,
          end: this.#at + 1,
          message: `a control character (U+${c.toString(16).padStart(4, '0').toUpperCase()}) inside a string must be escaped`,
        }
      if (c === 92) {
        const escape = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y
        escape.lastIndex = this.#at + 1
        const found = escape.exec(text)?.[0]
        if (found === undefined)
          return {
            start: this.#at,
            end: this.#at + 2,
            message: `${JSON.stringify(text.slice(this.#at, this.#at + 2))} is not a valid JSON escape sequence`,
          }
        this.#at += found.length
      }
    }
  }

  #key(expected: string): SyntaxFault | null {
    if (this.#skip() !== 34) return this.#fault(expected)
    const fault = this.#string()
    if (fault !== null) return fault
    if (this.#skip() !== 58) return this.#fault('":" after the property name')
    this.#at++
    return null
  }

  #afterValue(): 'done' | 'value' | SyntaxFault {
    for (;;) {
      const c = this.#skip()
      const open = this.#open.at(-1)
      if (open === undefined) return Number.isNaN(c) ? 'done' : this.#fault('nothing after the value')
      const isMap = open.code === 123
      if (c === (isMap ? 125 : 93)) {
        this.#shut()
        continue
      }
      if (Number.isNaN(c))
        return {
          start: this.#at,
          end: this.#at,
          message: `the document ends before the "${isMap ? '{' : '['}" in line ${lineOf(this.#text, open.at)} is closed`,
        }
      if (c !== 44) return this.#fault(isMap ? '"," or "}"' : '"," or "]"')
      this.#at++
      if (!isMap) {
        if (this.#skip() === 93) return this.#fault('a value after ","')
        return 'value'
      }
      const fault = this.#key('a property name in double quotes after ","')
      return fault ?? 'value'
    }
  }
}

/** The first syntax error of a JSON text (RFC 8259; a byte-order mark is skipped), or null. */
export const findJsonFault = (text: string): SyntaxFault | null => new JsonChecker(text).run()
