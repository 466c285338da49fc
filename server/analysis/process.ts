import { join } from 'node:path'
import type { CacheFill } from '../../src/kernel/sized-cache.ts'
import { residentMb } from './resident-memory.ts'
import { analysisWorkerFlag } from './worker-flag.ts'
import { namedOf, type Subject, type Text } from './subject.ts'
import { frame, Frames, type Answer, type Order, type Question } from './wire.ts'

const watchEveryMs = 50
// A task stops by itself at its deadline; what does not is ended this much later.
const graceMs = 1000

export interface Limits {
  readonly deadlineMs: number
  readonly memoryMb: number
}

/** What is to be done. */
export interface Work {
  readonly name: string
  readonly input: unknown
  readonly subjects: readonly Subject[]
  /** Answers what the task asks for while it is under way; what it raises ends the task. */
  readonly reply?: ((question: Question) => Promise<Uint8Array>) | undefined
  /** Ends the task. */
  readonly signal?: AbortSignal | undefined
}

/** What a task made, or why it made nothing. */
export type Outcome =
  | Exclude<Answer, { readonly kind: 'ready' | 'at-work' | 'caches' | 'question' | 'missing' | 'bytes' }>
  | Bytes

interface Bytes {
  readonly kind: 'bytes'
  readonly bytes: Uint8Array
}

/** Why a process was ended, or ended by itself. */
export type End = 'time' | 'memory' | 'crash' | 'signal'

export class Ended extends Error {
  readonly end: End
  /** The rules that were at work when it was last heard of. */
  readonly rules: readonly string[]
  constructor(end: End, rules: readonly string[]) {
    super(`the analysis process ended: ${end}`)
    this.end = end
    this.rules = rules
  }
}

const none = new Uint8Array()

const loaded = (texts: readonly Text[]): Promise<{ readonly key: string; readonly bytes: Uint8Array }[]> =>
  Promise.all(texts.map(async ({ key, load }) => ({ key, bytes: await load() })))

async function answered(
  question: Question,
  reply: Work['reply'],
): Promise<{ readonly bytes: Uint8Array } | { readonly error: unknown }> {
  try {
    if (reply === undefined) throw new Error(`no one answers what a task asks for: ${question.kind}`)
    return { bytes: await reply(question) }
  } catch (error) {
    return { error }
  }
}

/** Another process of this very program: the executable is its own, from the sources the entry is named. */
const command = (): string[] =>
  import.meta.dir.startsWith('/$bunfs') || import.meta.dir.startsWith('B:\\~BUN')
    ? [process.execPath, analysisWorkerFlag]
    : [process.execPath, 'run', join(import.meta.dir, 'main.ts')]

/** Stops a clock while a task waits for its server. */
class Alarm {
  readonly #ring: () => void
  #left: number
  #since = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  constructor(ms: number, ring: () => void) {
    this.#left = ms
    this.#ring = ring
  }
  start(): void {
    this.#since = performance.now()
    this.#timer = setTimeout(this.#ring, this.#left)
  }
  stop(): void {
    clearTimeout(this.#timer)
    this.#left -= performance.now() - this.#since
  }
}

interface Frame {
  readonly header: Answer
  readonly bytes: Uint8Array
}

/** One analysis process with its limits. It does one task at a time. */
export class AnalysisProcess {
  readonly #limits: Limits
  readonly #child: Bun.Subprocess<'pipe', 'pipe', 'ignore'>
  readonly #frames: AsyncGenerator<Frame>
  readonly #has = new Set<string>()
  readonly #ready: Promise<unknown>
  #end: End | null = null
  #atWork: readonly string[] = []
  /** How full its caches were after its last task, by name. */
  caches: readonly (readonly [string, CacheFill])[] = []
  /** How many tasks it did. */
  tasks = 0

  constructor(limits: Limits) {
    this.#limits = limits
    // It needs nothing of what the server knows: no secrets of its environment go along.
    const env = { PATH: process.env.PATH ?? '', TMPDIR: process.env.TMPDIR ?? '' }
    this.#child = Bun.spawn(command(), { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore', env })
    this.#child.unref()
    this.#frames = this.#read()
    this.#ready = this.#frames.next()
    this.#ready.catch(() => {})
  }

  /** Its id. */
  get pid(): number {
    return this.#child.pid
  }

  async *#read(): AsyncGenerator<Frame> {
    const frames = new Frames((json) => JSON.parse(json) as Answer)
    for await (const piece of this.#child.stdout) yield* frames.take(piece)
    throw this.#ended()
  }

  // The next answer that is one; signs of life are noted on the way.
  async #next(): Promise<Frame> {
    for (;;) {
      const { value, done } = await this.#frames.next()
      if (done === true) throw this.#ended()
      const { header } = value
      if (header.kind === 'at-work') this.#atWork = header.rules
      else if (header.kind === 'caches') this.caches = header.fills
      else return value
    }
  }

  #ended(): Ended {
    return new Ended(this.#end ?? 'crash', this.#atWork)
  }

  async #send(order: Order, bytes?: Uint8Array): Promise<void> {
    for (const part of frame(order, bytes)) void this.#child.stdin.write(part)
    await this.#child.stdin.flush()
  }

  async #sendTexts(texts: readonly { readonly key: string; readonly bytes: Uint8Array }[]): Promise<void> {
    for (const { key, bytes } of texts) {
      this.#has.add(key)
      await this.#send({ kind: 'text', key }, bytes)
    }
  }

  /**
   * Does one task; what is not there yet of the texts it is about is sent along.
   * @throws Ended where the process broke a limit, or ended by itself; it is of no use afterwards. What reading a text, or
   *   `reply`, raises is raised
   */
  async run(work: Work): Promise<Outcome> {
    await this.#ready
    this.tasks += 1
    this.#atWork = []
    const known = work.subjects.flatMap((it) => it.texts)
    const texts = await loaded(known.filter(({ key }) => !this.#has.has(key)))
    const alarm = new Alarm(this.#limits.deadlineMs + graceMs, () => this.#kill('time'))
    const watch = this.#watch()
    const abort = (): void => this.#kill('signal')
    work.signal?.addEventListener('abort', abort, { once: true })
    alarm.start()
    try {
      if (work.signal?.aborted === true) abort()
      await this.#sendTexts(texts)
      return await this.#converse(work, known, alarm)
    } finally {
      alarm.stop()
      watch.stop()
      work.signal?.removeEventListener('abort', abort)
    }
  }

  async #converse(work: Work, known: readonly Text[], alarm: Alarm): Promise<Outcome> {
    const { name, input, subjects, reply } = work
    const { deadlineMs } = this.#limits
    const order: Order = { kind: 'task', task: { name, input, subjects: subjects.map(namedOf) }, deadlineMs }
    let failed: { readonly error: unknown } | null = null
    await this.#try(() => this.#send(order))
    for (;;) {
      const { header, bytes } = await this.#try(() => this.#next())
      if (header.kind === 'missing') {
        alarm.stop()
        const again = await loaded(known.filter(({ key }) => header.keys.includes(key)))
        alarm.start()
        await this.#try(() => this.#sendTexts(again))
        await this.#try(() => this.#send(order))
      } else if (header.kind === 'question') {
        alarm.stop()
        const replied = await answered(header.question, reply)
        alarm.start()
        if ('error' in replied) failed = replied
        await this.#try(() =>
          this.#send({ kind: 'reply', ok: 'bytes' in replied }, 'bytes' in replied ? replied.bytes : none),
        )
      } else if (header.kind === 'bytes') return { kind: 'bytes', bytes }
      else if (header.kind === 'unanswered' && failed !== null) throw failed.error
      else if (header.kind !== 'ready' && header.kind !== 'at-work' && header.kind !== 'caches') return header
    }
  }

  // A write or a read that failed says only that it is gone; why is known here.
  async #try<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      throw error instanceof Ended ? error : this.#ended()
    }
  }

  #watch(): { stop(): void } {
    const watch = { on: true }
    const look = async (): Promise<void> => {
      while (watch.on) {
        const mb = await residentMb(this.#child.pid)
        if (watch.on && mb !== null && mb > this.#limits.memoryMb) this.#kill('memory')
        await Bun.sleep(watchEveryMs)
      }
    }
    void look()
    return { stop: () => void (watch.on = false) }
  }

  #kill(end: End): void {
    this.#end ??= end
    this.#child.kill('SIGKILL')
  }

  /** Its resident memory in bytes; null where this system does not say. */
  async residentBytes(): Promise<number | null> {
    const mb = await residentMb(this.#child.pid)
    return mb === null ? null : mb * 1024 * 1024
  }

  /** Whether it has grown so much that another one should take its place. */
  async isBloated(): Promise<boolean> {
    return ((await residentMb(this.#child.pid)) ?? 0) > this.#limits.memoryMb / 2
  }

  /** Ends it. */
  stop(): void {
    this.#kill('signal')
  }
}
