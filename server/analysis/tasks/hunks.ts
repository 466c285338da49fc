import type { ExcerptLine } from '../../../src/api/excerpt.ts'
import type { ChangedLines } from '../../../src/document/changed-lines.ts'
import { Lines } from '../../../src/document/lines.ts'
import { both, type Desk } from '../desk.ts'
import type { Material } from '../subject.ts'

/** What is answered of a longer line, and how much of that is before the first character that differs. */
const longest = 2000
const lead = 300
/** More lines than this follow as further places, so that no answer depends on how much one of them changed. */
const mostLines = 100
const around = 4
/** An answer stops at a place when it has so many characters. */
const mostCharacters = 400_000

/** Lines of one document that took the place of lines of another, each from 0. */
interface HunkPlace {
  readonly old: number
  readonly removed: number
  readonly now: number
  readonly added: number
}

interface Hunk {
  readonly before: readonly ExcerptLine[]
  readonly old: readonly ExcerptLine[]
  readonly now: readonly ExcerptLine[]
  readonly after: readonly ExcerptLine[]
}

interface Asked {
  readonly offset: number
  /** How many places, and how many of them with their lines. */
  readonly limit: number
  readonly lines: number
}

interface Answered {
  readonly total: number
  readonly lines: number
  readonly places: readonly HunkPlace[]
  readonly hunks: readonly Hunk[]
}

const placesOf = (changes: readonly ChangedLines[]): HunkPlace[] => {
  const places: HunkPlace[] = []
  let shift = 0
  for (const { line, added, removed } of changes) {
    for (let at = 0; at < Math.max(added, removed); at += mostLines) {
      const [gone, come] = [removed, added].map((all) => Math.max(0, Math.min(mostLines, all - at))) as [number, number]
      places.push({
        old: line - shift + Math.min(at, removed),
        removed: gone,
        now: line + Math.min(at, added),
        added: come,
      })
    }
    shift += added - removed
  }
  return places
}

/** The lines of a text. A line is cut out of the text when somebody asks for it. */
class Text {
  readonly #text: string
  readonly #lines: Lines

  constructor(text: string) {
    this.#text = text
    this.#lines = new Lines(text)
  }

  get count(): number {
    return this.#lines.count
  }

  line(index: number): string {
    const start = this.#lines.start(index, this.#text.length)
    return this.#text.slice(start, this.#lines.start(index + 1, this.#text.length + 1) - 1).replace(/\r$/, '')
  }

  /** Lines as they are shown: of a long one the part that differs from the line that it became. */
  shown(first: number, count: number, other: Text, otherFirst: number, otherCount: number): ExcerptLine[] {
    return Array.from({ length: count }, (_, at) => {
      const line = this.line(first + at)
      if (line.length <= longest) return { text: line, from: 0, length: line.length }
      const twin = at < otherCount ? other.line(otherFirst + at) : ''
      let same = 0
      while (same < twin.length && line[same] === twin[same]) same++
      const from = Math.max(0, Math.min(same - lead, line.length - longest))
      return { text: line.slice(from, from + longest), from, length: line.length }
    })
  }
}

const charactersIn = ({ before, old, now, after }: Hunk): number =>
  [before, old, now, after].flat().reduce((sum, { text }) => sum + text.length + 40, 0)

/** The places in which two texts differ, which are not parsed, and the lines of some of them. */
export function run({ offset, limit, lines }: Asked, desk: Desk): Answered {
  const [older, newer] = both(desk)
  const all = placesOf(desk.engine.changedLines(older, newer))
  const textOf = ({ text, bytesOf }: Material): Text => new Text(new TextDecoder().decode(bytesOf(text)))
  const [base, head] = [textOf(older), textOf(newer)]
  const places = all.slice(offset, offset + limit)
  const hunks: Hunk[] = []
  let room = mostCharacters
  for (const [at, { old, removed, now, added }] of places.slice(0, lines).entries()) {
    const [last, next] = [all[offset + at - 1], all[offset + at + 1]]
    const from = Math.max(now - around, last === undefined ? 0 : last.now + last.added)
    const end = now + added
    const to = Math.min(end + around, next === undefined ? head.count : next.now)
    const hunk: Hunk = {
      before: head.shown(from, now - from, head, 0, 0),
      old: base.shown(old, removed, head, now, added),
      now: head.shown(now, added, base, old, removed),
      after: head.shown(end, to - end, head, 0, 0),
    }
    room -= charactersIn(hunk)
    if (room < 0 && hunks.length > 0) break
    hunks.push(hunk)
  }
  return { total: all.length, lines: head.count, places, hunks }
}
