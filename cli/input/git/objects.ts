/** Objects of a repository for a whole run: two processes of git answer however many questions. */
import { answerOf, blobOf, git, start, type Answer, type BlobResult, type Objects, type Repository } from './process.ts'

/** The bytes that a process prints, read in pieces of a known end. */
class Reading {
  readonly #from: ReadableStreamDefaultReader<Uint8Array>
  #rest: Uint8Array = new Uint8Array()

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#from = stream.getReader()
  }

  /** Waits for more; false at the end. */
  async #more(): Promise<boolean> {
    const { value } = await this.#from.read()
    if (value === undefined) return false
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
    return true
  }

  /** A line without its end; null where there is none any more. */
  async line(): Promise<string | null> {
    let end = this.#rest.indexOf(10)
    while (end < 0) {
      if (!(await this.#more())) return null
      end = this.#rest.indexOf(10)
    }
    const line = new TextDecoder().decode(this.#rest.subarray(0, end))
    this.#rest = this.#rest.subarray(end + 1)
    return line
  }

  /** So many bytes; null where the process ended before them. */
  async take(count: number): Promise<Uint8Array | null> {
    const pieces: Uint8Array[] = []
    for (let missing = count; missing > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) return null
      const piece = this.#rest.subarray(0, missing)
      pieces.push(piece)
      this.#rest = this.#rest.subarray(piece.length)
      missing -= piece.length
    }
    return Buffer.concat(pieces)
  }
}

async function say(input: Bun.FileSink, text: string): Promise<void> {
  await input.write(text)
  await input.flush()
}

/** A process of git that answers each line that it is given, in their order. */
class Conversation {
  readonly #child: ReturnType<typeof start>
  readonly #reading: Reading | null
  #last: Promise<unknown> = Promise.resolve()

  constructor(args: readonly string[], repository: Repository) {
    this.#child = start(args, repository, 'pipe')
    this.#reading = this.#child === null ? null : new Reading(this.#child.stdout)
  }

  /** Asks for a name; what it answers is read after the answers before it. */
  ask<T>(name: string, missing: T, read: (from: Reading) => Promise<T>): Promise<T> {
    const reading = this.#reading
    const input = this.#child?.stdin
    // A line of the input is one name: what has a line break is not asked for.
    if (reading === null || typeof input !== 'object' || name.includes('\n')) return Promise.resolve(missing)
    // Where the process has ended already there is no answer, and that is what is read.
    void say(input, `${name}\n`).catch(() => null)
    const answer = this.#last.then(() => read(reading))
    this.#last = answer.catch(() => null)
    return answer
  }

  close(): void {
    this.#child?.kill()
  }
}

/** The objects of one repository. `close` ends what it started. */
export class GitObjects implements Objects {
  readonly #repository: Repository
  #prefix: Promise<Answer> | null = null
  #ids: Conversation | null = null
  #contents: Conversation | null = null

  constructor(repository: Repository) {
    this.#repository = repository
  }

  prefix(): Promise<Answer> {
    return (this.#prefix ??= git(['rev-parse', '--show-prefix'], this.#repository))
  }

  find(name: string): ReturnType<Objects['find']> {
    this.#ids ??= new Conversation(['cat-file', '--batch-check'], this.#repository)
    return this.#ids.ask<Awaited<ReturnType<Objects['find']>>>(name, null, async (from) =>
      answerOf((await from.line()) ?? ''),
    )
  }

  read(names: readonly string[]): Promise<BlobResult[]> {
    const contents = (this.#contents ??= new Conversation(['cat-file', '--batch'], this.#repository))
    return Promise.all(
      names.map((name) =>
        contents.ask<BlobResult>(name, 'missing', async (from) => {
          const known = answerOf((await from.line()) ?? '')
          if (known === null) return 'missing'
          const bytes = await from.take(known.size + 1)
          return bytes === null ? 'missing' : blobOf(known.kind, bytes.subarray(0, known.size))
        }),
      ),
    )
  }

  /** Ends the processes. */
  close(): void {
    this.#ids?.close()
    this.#contents?.close()
  }
}
