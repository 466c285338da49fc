import { textOfLatin1 } from '../host/engine.ts'
const hex = '0123456789abcdef'

/** Writes JSON out of stretches of another text, as bytes of ASCII: everything else is escaped. */
export class JsonWriter {
  readonly #text: string
  readonly #bytes: Uint8Array
  #count = 0

  constructor(text: string) {
    this.#text = text
    // Only what is touched of it takes memory. Where a text needs more, `toString` answers null.
    this.#bytes = new Uint8Array(text.length * 2 + 1024)
  }

  /** Writes an ASCII character. */
  sign(code: number): void {
    this.#bytes[this.#count++] = code
  }

  /** Writes characters of ASCII, as they are. */
  word(word: string): void {
    for (let at = 0; at < word.length; at++) this.#bytes[this.#count++] = word.charCodeAt(at)
  }

  /** Writes so many escaped line breaks. */
  breaks(count: number): void {
    for (let at = 0; at < count; at++) this.word('\\n')
  }

  /**
   * Copies a stretch of the text into a JSON string. Within double quotes (34) its backslashes are escapes that JSON has, or escape a
   * space; within single ones (39) a quote is written twice.
   */
  copy(from: number, to: number, quote = 0): void {
    const text = this.#text
    const bytes = this.#bytes
    let count = this.#count
    for (let at = from; at < to; at++) {
      const c = text.charCodeAt(at)
      if (c > 126) {
        bytes[count++] = 92
        bytes[count++] = 117
        for (let shift = 12; shift >= 0; shift -= 4) bytes[count++] = hex.charCodeAt((c >> shift) & 15)
      } else if (c === 92 && quote === 34) {
        const next = text.charCodeAt(++at)
        if (next !== 32) bytes[count++] = 92
        bytes[count++] = next
      } else {
        if (c === 34 || c === 92) bytes[count++] = 92
        else if (c === 39 && quote === 39) at++
        bytes[count++] = c
      }
    }
    this.#count = count
  }

  /** What was written; null where there was too little room for it. */
  finish(): string | null {
    if (this.#count > this.#bytes.length) return null
    return textOfLatin1(this.#bytes.subarray(0, this.#count))
  }
}
