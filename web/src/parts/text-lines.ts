import type { Excerpt } from '../../../src/api/excerpt.ts'
import { type ExcerptSpan, spanAround } from '../../../src/api/excerpt-span.ts'
import type { FindingShape, StaticOf } from '../../../src/api/shapes.ts'

/** The lines of a text of any size, of which only those that are asked for become strings. */
export class TextLines {
  readonly #text: string
  readonly #starts: Int32Array

  constructor(text: string) {
    let count = 1
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
    const starts = new Int32Array(count)
    let line = 1
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts[line++] = at + 1
    this.#text = text
    this.#starts = starts
  }

  /** The lines of a span, as many as there are, as the service answers those of a stored document. */
  excerpt({ from, count }: Pick<ExcerptSpan, 'from' | 'count'>): Excerpt {
    const last = Math.min(from + count, this.#starts.length)
    const lines = Array.from({ length: Math.max(0, last - from) }, (_, index) => {
      const end = (this.#starts[from + index + 1] ?? this.#text.length + 1) - 1
      const text = this.#text.slice(this.#starts[from + index], end).replace(/\r$/, '')
      return { text, from: 0, length: text.length }
    })
    return { first: from, lines }
  }

  /** The lines around a place. */
  around(range: StaticOf<typeof FindingShape>['range']): Excerpt {
    return this.excerpt(spanAround(range))
  }
}
