import type { Position, Range } from './position.ts'

/** Turns offsets into a text (UTF-16 units) into zero-based lines and characters. A leading byte-order mark has no width. */
export class Lines {
  readonly #starts: Int32Array
  readonly #bom: number

  constructor(text: string) {
    // Lines of descriptions are longer than 16 characters on average.
    let starts = new Int32Array((text.length >> 4) + 16)
    let count = 1
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      if (count === starts.length) {
        const more = new Int32Array(count * 2)
        more.set(starts)
        starts = more
      }
      starts[count++] = at + 1
    }
    this.#starts = starts.slice(0, count)
    this.#bom = text.charCodeAt(0) === 0xfeff ? 1 : 0
  }

  /** The position of an offset. */
  position(offset: number): Position {
    const starts = this.#starts
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    const character = offset - (starts[low] ?? 0) - (low === 0 ? this.#bom : 0)
    return { line: low, character: Math.max(0, character) }
  }

  /** How many lines there are. */
  get count(): number {
    return this.#starts.length
  }

  /** The offset at which a line begins; behind the last one, the length that is given. */
  start(line: number, length: number): number {
    return this.#starts[line] ?? length
  }

  /** The range between two offsets. */
  range(start: number, end: number): Range {
    return { start: this.position(start), end: this.position(Math.max(start, end)) }
  }
}
