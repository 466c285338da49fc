import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Subject } from './analysis.ts'
import { analysisWorkerFlag } from './worker-flag.ts'
import { frame, Frames, namedOf, type Answer, type Order, type Task } from './wire.ts'

const watchEveryMs = 50
// A task stops by itself at its deadline; what does not is ended this much later.
const graceMs = 1000

export interface Limits {
  readonly deadlineMs: number
  readonly memoryMb: number
}

/** Why a process was ended, or ended by itself. */
export type End = 'time' | 'memory' | 'crash'

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

/** Another process of this very program: the executable is its own, from the sources the entry is named. */
const command = (): string[] =>
  import.meta.dir.startsWith('/$bunfs') || import.meta.dir.startsWith('B:\\~BUN')
    ? [process.execPath, analysisWorkerFlag]
    : [process.execPath, 'run', join(import.meta.dir, 'main.ts')]

/** Resident megabytes of a process; null where this system does not say. */
async function residentMb(pid: number): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    if (process.platform === 'linux' || process.platform === 'win32') return null
    const kilobytes = await new Response(Bun.spawn(['ps', '-o', 'rss=', '-p', String(pid)]).stdout).text()
    return Number(kilobytes.trim()) / 1024 || null
  }
}

/** One analysis process with its limits. It does one task at a time. */
export class AnalysisProcess {
  readonly #limits: Limits
  readonly #child: Bun.Subprocess<'pipe', 'pipe', 'ignore'>
  readonly #answers: AsyncGenerator<Answer>
  readonly #has = new Set<string>()
  readonly #ready: Promise<unknown>
  #end: End | null = null
  #atWork: readonly string[] = []
  /** How many tasks it did. */
  tasks = 0

  constructor(limits: Limits) {
    this.#limits = limits
    // It needs nothing of what the server knows: no secrets of its environment go along.
    const env = { PATH: process.env.PATH ?? '', TMPDIR: process.env.TMPDIR ?? '' }
    this.#child = Bun.spawn(command(), { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore', env })
    this.#child.unref()
    this.#answers = this.#read()
    this.#ready = this.#answers.next()
    this.#ready.catch(() => {})
  }

  async *#read(): AsyncGenerator<Answer> {
    const frames = new Frames((json) => JSON.parse(json) as Answer)
    for await (const piece of this.#child.stdout) for (const { header } of frames.take(piece)) yield header
    throw this.#ended()
  }

  // The next answer that is one; signs of life are noted on the way.
  async #next(): Promise<Answer> {
    for (;;) {
      const { value, done } = await this.#answers.next()
      if (done === true) throw this.#ended()
      if (value.kind !== 'at-work') return value
      this.#atWork = value.rules
    }
  }

  #ended(): Ended {
    return new Ended(this.#end ?? 'crash', this.#atWork)
  }

  async #send(order: Order, text?: string): Promise<void> {
    for (const part of frame(order, text === undefined ? undefined : new TextEncoder().encode(text)))
      void this.#child.stdin.write(part)
    await this.#child.stdin.flush()
  }

  async #sendText(subject: Subject): Promise<void> {
    this.#has.add(subject.key)
    await this.#send({ kind: 'text', subject: namedOf(subject) }, subject.text)
  }

  /**
   * Does one task; what is not there yet of the texts it is about is sent along.
   * @throws Ended where the process broke a limit, or ended by itself; it is of no use afterwards
   */
  async run(task: Task, subjects: readonly Subject[]): Promise<Answer> {
    await this.#ready
    this.tasks += 1
    this.#atWork = []
    const { deadlineMs } = this.#limits
    const late = setTimeout(() => this.#kill('time'), deadlineMs + graceMs)
    const watch = this.#watch()
    try {
      for (const it of subjects) if (!this.#has.has(it.key)) await this.#sendText(it)
      await this.#send({ kind: 'task', task, deadlineMs })
      let answer = await this.#next()
      if (answer.kind === 'missing') {
        for (const it of subjects) if (answer.keys.includes(it.key)) await this.#sendText(it)
        await this.#send({ kind: 'task', task, deadlineMs })
        answer = await this.#next()
      }
      return answer
    } catch (error) {
      // A write that failed says only that it is gone; why is known here.
      throw error instanceof Ended ? error : this.#ended()
    } finally {
      clearTimeout(late)
      watch.stop()
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

  /** Whether it has grown so much that another one should take its place. */
  async isBloated(): Promise<boolean> {
    return ((await residentMb(this.#child.pid)) ?? 0) > this.#limits.memoryMb / 2
  }

  /** Ends it. */
  stop(): void {
    this.#child.kill('SIGKILL')
  }
}
