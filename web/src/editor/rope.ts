/** Texts of any size as the editor keeps them: read, compared and written in pieces, so that no step of it is felt. */
import { type ChangeSet, Text } from '@codemirror/state'
import type { TextEdit } from '../../../src/api/edits.ts'

/** A document with how its lines end. */
export interface Rope {
  readonly doc: Text
  readonly lineBreak: '\n' | '\r\n'
}

type Position = TextEdit['start']

/** Collects lines out of pieces that may end anywhere. */
class Lines {
  #doc = Text.empty
  #rest = ''
  #lineBreak: Rope['lineBreak'] | null = null
  #isEmpty = true

  take(piece: string): void {
    const whole = this.#rest + piece
    const last = whole.lastIndexOf('\n')
    this.#rest = whole.slice(last + 1)
    if (last >= 0) this.#add(whole.slice(0, last))
  }

  #add(text: string): void {
    this.#lineBreak ??= /^[^\n]*\r(?:\n|$)/.test(text) ? '\r\n' : '\n'
    const lines = text.split('\n')
    const read = Text.of(
      this.#lineBreak === '\n' ? lines : lines.map((it) => (it.endsWith('\r') ? it.slice(0, -1) : it)),
    )
    // Lines are joined by a break: what is appended begins with one.
    this.#doc = this.#isEmpty ? read : this.#doc.append(Text.of(['', '']).append(read))
    this.#isEmpty = false
  }

  end(): Rope {
    this.#add(this.#rest)
    return { doc: this.#doc, lineBreak: this.#lineBreak ?? '\n' }
  }
}

const pieceBytes = 131_072
const longestMs = 25

/** Lets the browser draw and answer keys once work took as long as one notices. */
class Turns {
  #since = performance.now()

  async next(): Promise<void> {
    if (performance.now() - this.#since < longestMs) return
    await new Promise((resolve) => setTimeout(resolve))
    this.#since = performance.now()
  }
}

/** Reads a text as it comes over the wire. */
export const readRope = async (body: ReadableStream<Uint8Array>): Promise<Rope> => {
  const lines = new Lines()
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const turns = new Turns()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    for (let at = 0; at < value.length; at += pieceBytes) {
      lines.take(decoder.decode(value.subarray(at, at + pieceBytes), { stream: true }))
      await turns.next()
    }
  }
  lines.take(decoder.decode())
  return lines.end()
}

/** The text as a body to send, without ever being one string. */
export const blobOf = async ({ doc, lineBreak }: Rope, type: string): Promise<Blob> => {
  const parts: Blob[] = []
  let part = ''
  const turns = new Turns()
  for (const piece of doc.iter()) {
    part += piece === '\n' ? lineBreak : piece
    if (part.length < 65_536) continue
    parts.push(new Blob([part]))
    part = ''
    await turns.next()
  }
  return new Blob([...parts, part], { type })
}

const positionIn = (doc: Text, offset: number): Position => {
  const line = doc.lineAt(offset)
  return { line: line.number - 1, character: offset - line.from }
}

/** The offset of a position, within the text whatever it says. */
export const offsetIn = (doc: Text, { line, character }: Position): number => {
  const found = doc.line(Math.min(Math.max(line + 1, 1), doc.lines))
  return Math.min(found.from + character, found.to)
}

/** More edits than these are sent as one. */
const mostEdits = 2000

/** What was changed in a text, as the service takes it. */
export const editsOf = (before: Text, changes: ChangeSet): TextEdit[] => {
  const edits: TextEdit[] = []
  const ends = { from: -1, to: 0, fromNow: 0, toNow: 0 }
  changes.iterChanges((from, to, fromNow, toNow, inserted) => {
    if (ends.from < 0) Object.assign(ends, { from, fromNow })
    Object.assign(ends, { to, toNow })
    if (edits.length <= mostEdits)
      edits.push({ start: positionIn(before, from), end: positionIn(before, to), text: inserted.toString() })
  })
  if (edits.length <= mostEdits) return edits
  const now = changes.apply(before)
  const text = now.sliceString(ends.fromNow, ends.toNow)
  return [{ start: positionIn(before, ends.from), end: positionIn(before, ends.to), text }]
}

/** Edits of the service as changes of a text. */
export const changesOf = (doc: Text, edits: readonly TextEdit[]) =>
  edits.map(({ start, end, text }) => ({ from: offsetIn(doc, start), to: offsetIn(doc, end), insert: text }))
