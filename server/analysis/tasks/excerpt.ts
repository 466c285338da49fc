import type { ExcerptLine } from '../../../src/api/excerpt.ts'
import type { ExcerptSpan } from '../../../src/api/excerpt-span.ts'
import { Lines } from '../../../src/document/lines.ts'
import { onlyOne, type Desk } from '../desk.ts'

interface Asked {
  readonly spans: readonly ExcerptSpan[]
  /** What is answered of a longer line. */
  readonly longest: number
  /** How much of that is before the character that is asked for. */
  readonly before: number
}

interface Answered {
  /** How many lines the text has. */
  readonly total: number
  /** The lines of each span, as many as there are. */
  readonly excerpts: readonly (readonly ExcerptLine[])[]
}

/** Some lines of a text, which is not parsed. */
export function run({ spans, longest, before }: Asked, desk: Desk): Answered {
  const { text: key, bytesOf } = onlyOne(desk)
  const text = new TextDecoder().decode(bytesOf(key))
  const lines = new Lines(text)
  const lineAt = (index: number, character: number): ExcerptLine => {
    const start = lines.start(index, text.length)
    const line = text.slice(start, lines.start(index + 1, text.length + 1) - 1).replace(/\r$/, '')
    const from = line.length > longest ? Math.max(0, Math.min(character - before, line.length - longest)) : 0
    return { text: line.slice(from, from + longest), from, length: line.length }
  }
  return {
    total: lines.count,
    excerpts: spans.map(({ from, count, character }) => {
      const shown = Math.max(0, Math.min(from + count, lines.count) - from)
      return Array.from({ length: shown }, (_, index) => lineAt(from + index, character))
    }),
  }
}
