/** How a server and its analysis processes talk: frames of a header in JSON and, behind it, a text as it is. */
import type { DiffOptions, DiffResult } from '../../src/diff/options.ts'
import type { Facts, Opened, Subject, Verdict } from './analysis.ts'
import type { LintGuide } from './guide.ts'

/** A subject without its text, which may be there already. */
export type Named = Omit<Subject, 'text'>
export function namedOf(subject: Subject): Named {
  const { text: _, ...named } = subject
  return named
}

/** What is needed to make a guide again elsewhere. */
export type GuideSource = Pick<LintGuide, 'id' | 'name' | 'source'>

export type Task =
  | { readonly kind: 'look'; readonly subject: Named; readonly guide: GuideSource }
  | { readonly kind: 'open'; readonly subject: Named }
  | { readonly kind: 'compare'; readonly base: Named; readonly head: Named; readonly options: DiffOptions }

export type Order =
  /** The text of a subject stands behind it. */
  | { readonly kind: 'text'; readonly subject: Named }
  | { readonly kind: 'task'; readonly task: Task; readonly deadlineMs: number }

export type Answer =
  | { readonly kind: 'ready' }
  /** A sign of life of a task that takes longer: the rules at work. More answers follow. */
  | { readonly kind: 'at-work'; readonly rules: readonly string[] }
  /** The texts of these subjects are not there (any more). */
  | { readonly kind: 'missing'; readonly keys: readonly string[] }
  | { readonly kind: 'looked'; readonly facts: Facts; readonly verdict: Verdict }
  | { readonly kind: 'opened'; readonly opened: Opened }
  | { readonly kind: 'compared'; readonly result: DiffResult }
  /** It ran out of time with these rules at work, or its answer is too large because of them. */
  | { readonly kind: 'stopped'; readonly reason: 'time' | 'size'; readonly rules: readonly string[] }
  | { readonly kind: 'fault'; readonly message: string; readonly stack: string | null }

const headBytes = 8
const encoder = new TextEncoder()
const decoder = new TextDecoder()
const nothing = new Uint8Array()

/** One frame: two lengths, the header, the text. */
export function frame(header: Order | Answer, text: Uint8Array = nothing): readonly Uint8Array[] {
  const json = encoder.encode(JSON.stringify(header))
  const head = new Uint8Array(headBytes)
  const view = new DataView(head.buffer)
  view.setUint32(0, json.byteLength)
  view.setUint32(4, text.byteLength)
  return text.byteLength === 0 ? [head, json] : [head, json, text]
}

/** Reads frames out of pieces of any size. */
export class Frames<H> {
  readonly #read: (json: string) => H
  #pieces: Uint8Array[] = []
  #bytes = 0

  /** @param read makes a header of its JSON */
  constructor(read: (json: string) => H) {
    this.#read = read
  }

  /** Takes a piece; gives the frames that are whole with it. */
  take(piece: Uint8Array): { readonly header: H; readonly text: string }[] {
    const whole: { readonly header: H; readonly text: string }[] = []
    this.#pieces.push(piece)
    this.#bytes += piece.byteLength
    for (let wanted = this.#wanted(); this.#bytes >= wanted; wanted = this.#wanted()) {
      const all = this.#joined()
      const view = new DataView(all.buffer, all.byteOffset)
      const behind = headBytes + view.getUint32(0)
      whole.push({
        header: this.#read(decoder.decode(all.subarray(headBytes, behind))),
        text: decoder.decode(all.subarray(behind, wanted)),
      })
      this.#pieces = [all.subarray(wanted)]
      this.#bytes = all.byteLength - wanted
    }
    return whole
  }

  // How many bytes the next frame has; as many as it takes to know where that is unknown.
  #wanted(): number {
    if (this.#bytes < headBytes) return headBytes
    const [first] = this.#pieces
    const head = first !== undefined && first.byteLength >= headBytes ? first : this.#joined()
    const view = new DataView(head.buffer, head.byteOffset)
    return headBytes + view.getUint32(0) + view.getUint32(4)
  }

  #joined(): Uint8Array {
    const [first] = this.#pieces
    if (this.#pieces.length === 1 && first !== undefined) return first
    const all = new Uint8Array(this.#bytes)
    let at = 0
    for (const piece of this.#pieces) {
      all.set(piece, at)
      at += piece.byteLength
    }
    this.#pieces = [all]
    return all
  }
}
