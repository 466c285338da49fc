/** Texts as an editor edits them, and positions as it counts them. */
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { Position, Range } from '../../src/document/position.ts'
import type { Encoding, TextChange } from './wire.ts'

const isAscii = (text: string): boolean => !/[^\0-\u007F]/.test(text)

/** A character counted in units of UTF-16, from one that is counted in bytes of UTF-8. */
function unitsOf(line: string, bytes: number): number {
  let units = 0
  let seen = 0
  for (const sign of line) {
    if (seen >= bytes) break
    seen += Buffer.byteLength(sign)
    units += sign.length
  }
  return units
}

/** Positions of one text, between the editor's count and ours (UTF-16). */
export class Positions {
  readonly #text: TextDocument
  readonly #encoding: Encoding
  // A byte order mark is a character for editors that send it, and none in our positions.
  readonly #mark: number

  constructor(text: TextDocument, encoding: Encoding) {
    this.#text = text
    this.#encoding = encoding
    this.#mark = text.getText().charCodeAt(0) === 0xfeff ? 1 : 0
  }

  #line(line: number): string {
    const end = line + 1 < this.#text.lineCount ? { line: line + 1, character: 0 } : { line, character: 2 ** 31 - 1 }
    return this.#text.getText({ start: { line, character: 0 }, end })
  }

  /** The offset of a position of the editor; what is behind the end of a line is its end. */
  offset({ line, character }: Position): number {
    if (this.#encoding === 'utf-16' || line >= this.#text.lineCount) return this.#text.offsetAt({ line, character })
    const own = this.#line(line)
    return this.#text.offsetAt({ line, character: isAscii(own) ? character : unitsOf(own, character) })
  }

  /** A position of ours as the editor counts it. */
  position({ line, character }: Position): Position {
    return this.#counted({ line, character: line === 0 ? character + this.#mark : character })
  }

  #counted({ line, character }: Position): Position {
    if (this.#encoding === 'utf-16' || line >= this.#text.lineCount) return { line, character }
    const own = this.#line(line)
    return { line, character: isAscii(own) ? character : Buffer.byteLength(own.slice(0, character)) }
  }

  range({ start, end }: Range): Range {
    return { start: this.position(start), end: this.position(end) }
  }

  /** The range between two offsets, as the editor counts it. */
  between(start: number, end: number): Range {
    return { start: this.#counted(this.#text.positionAt(start)), end: this.#counted(this.#text.positionAt(end)) }
  }
}

/** A change as the protocol has it: of a range, or of the whole text. */
export interface ContentChange {
  readonly range?: Range
  readonly text: string
}

/** Applies changes of the editor one after the other to `text`, and gives them as offsets. */
export function applyChanges(
  text: TextDocument,
  changes: readonly ContentChange[],
  version: number,
  encoding: Encoding,
): TextChange[] {
  return changes.map(({ range, text: put }) => {
    const positions = new Positions(text, encoding)
    const ends = range === undefined ? null : [positions.offset(range.start), positions.offset(range.end)]
    const start = ends === null ? 0 : Math.min(...ends)
    const end = ends === null ? text.getText().length : Math.max(...ends)
    const own = { start: text.positionAt(start), end: text.positionAt(end) }
    TextDocument.update(text, ends === null ? [{ text: put }] : [{ range: own, text: put }], version)
    return { start, end, text: put }
  })
}

/** The same change without what it leaves as it was at its begin and its end. */
export function smallest(text: string, { start, end, text: put }: TextChange): TextChange {
  const old = text.slice(start, end)
  const most = Math.min(old.length, put.length)
  let head = 0
  while (head < most && old.charCodeAt(head) === put.charCodeAt(head)) head++
  let tail = 0
  while (tail < most - head && old.charCodeAt(old.length - 1 - tail) === put.charCodeAt(put.length - 1 - tail)) tail++
  return { start: start + head, end: end - tail, text: put.slice(head, put.length - tail) }
}
