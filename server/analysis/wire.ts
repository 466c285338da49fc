/** How a server and its analysis processes talk: frames of a header in JSON and, behind it, bytes as they are. */
import type { CacheFill } from '../../src/kernel/sized-cache.ts'
import type { Code } from '../../src/errors.ts'
import type { Named } from './subject.ts'

/** What a task asks its server for while it is under way. */
export type Question =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'prefetch'; readonly paths: readonly string[] }

/** What is to be done, without the texts that it is about. */
export interface Task {
  /** A `TaskName`: its server is this same program. */
  readonly name: string
  readonly input: unknown
  readonly subjects: readonly Named[]
}

export type Order =
  /** The bytes of a text are behind it. */
  | { readonly kind: 'text'; readonly key: string }
  | { readonly kind: 'task'; readonly task: Task; readonly deadlineMs: number }
  /** What a task asked for is behind it; nothing is where it cannot be had: the server knows why. */
  | { readonly kind: 'reply'; readonly ok: boolean }

export type Answer =
  | { readonly kind: 'ready' }
  /** A sign of life of a task that takes longer: the rules at work. More answers follow. */
  | { readonly kind: 'at-work'; readonly rules: readonly string[] }
  /** How full the caches of the process are. More answers follow. */
  | { readonly kind: 'caches'; readonly fills: readonly (readonly [string, CacheFill])[] }
  /** The task waits for a reply. */
  | { readonly kind: 'question'; readonly question: Question }
  /** These texts are not there (any more). */
  | { readonly kind: 'missing'; readonly keys: readonly string[] }
  | { readonly kind: 'done'; readonly value: unknown }
  /** The bytes that it made are behind it. */
  | { readonly kind: 'bytes' }
  | { readonly kind: 'refused'; readonly code: Code; readonly detail: object }
  /** It ended by what the server could not reply. */
  | { readonly kind: 'unanswered' }
  /** It ran out of time with these rules at work, its answer is too large because of them, or its values are nested too deep. */
  | { readonly kind: 'stopped'; readonly reason: 'time' | 'size' | 'depth'; readonly rules: readonly string[] }
  | { readonly kind: 'fault'; readonly message: string; readonly stack: string | null }

const headBytes = 8
const encoder = new TextEncoder()
const decoder = new TextDecoder()
const nothing = new Uint8Array()

/** One frame: two lengths, the header, the bytes. */
export function frame(header: Order | Answer, bytes: Uint8Array = nothing): readonly Uint8Array[] {
  const json = encoder.encode(JSON.stringify(header))
  const head = new Uint8Array(headBytes)
  const view = new DataView(head.buffer)
  view.setUint32(0, json.byteLength)
  view.setUint32(4, bytes.byteLength)
  return bytes.byteLength === 0 ? [head, json] : [head, json, bytes]
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
  take(piece: Uint8Array): { readonly header: H; readonly bytes: Uint8Array }[] {
    const whole: { readonly header: H; readonly bytes: Uint8Array }[] = []
    this.#pieces.push(piece)
    this.#bytes += piece.byteLength
    for (let wanted = this.#wanted(); this.#bytes >= wanted; wanted = this.#wanted()) {
      const all = this.#joined()
      const view = new DataView(all.buffer, all.byteOffset)
      const behind = headBytes + view.getUint32(0)
      whole.push({
        header: this.#read(decoder.decode(all.subarray(headBytes, behind))),
        bytes: all.slice(behind, wanted),
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
