import { Lines } from '../../../src/document/lines.ts'
import { onlyOne, type Desk } from '../desk.ts'

/** What is answered of a longer line, and how much of that is before the character that is asked for. */
const longest = 2000
const before = 300

interface Excerpt {
  readonly total: number
  readonly lines: readonly { readonly text: string; readonly from: number; readonly length: number }[]
}

/** Lines `from` (counted from 0) and the following of a text, which is not parsed. */
export function run(
  { from, count, character }: { readonly from: number; readonly count: number; readonly character: number },
  desk: Desk,
): Excerpt {
  const { text: key, bytesOf } = onlyOne(desk)
  const text = new TextDecoder().decode(bytesOf(key))
  const lines = new Lines(text)
  const last = Math.min(from + count, lines.count)
  return {
    total: lines.count,
    lines: Array.from({ length: Math.max(0, last - from) }, (_, index) => {
      const start = lines.start(from + index, text.length)
      const line = text.slice(start, lines.start(from + index + 1, text.length + 1) - 1).replace(/\r$/, '')
      const begin = line.length > longest ? Math.max(0, Math.min(character - before, line.length - longest)) : 0
      return { text: line.slice(begin, begin + longest), from: begin, length: line.length }
    }),
  }
}
