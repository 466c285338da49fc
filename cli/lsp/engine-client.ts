/** The engine as the server sees it: a process that is ended where it takes too long or too much memory, and started again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
  type NotificationType,
} from 'vscode-languageserver/node'
import { residentMb } from '../../server/analysis/resident-memory.ts'
import { askEngine, checkText, type Checked, type CheckOrder, type Question } from './wire.ts'

export interface EngineLimits {
  readonly deadlineMs: number
  /** How much later a process is ended that did not end its work by itself. */
  readonly graceMs: number
  readonly memoryMb: number
}

/** Why the engine was ended while it worked on something. */
export class EngineStopped extends Error {}

interface Job {
  readonly work: (connection: MessageConnection) => Promise<unknown>
  readonly isWanted: () => boolean
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  /** Ends early where something else comes. */
  readonly yields: string | null
}

interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, null>
  readonly connection: MessageConnection
  readonly gone: Promise<void>
}

const watchEveryMs = 250

/** Gives the engine one job at a time. */
export class EngineClient {
  readonly #command: readonly string[]
  readonly #limits: EngineLimits
  readonly #begin: (connection: MessageConnection) => void
  readonly #folder = mkdtempSync(join(tmpdir(), 'svc-lsp-'))
  readonly #queue: Job[] = []
  #running: Running | null = null
  #current: Job | null = null
  #isStopped = false
  #checks = 0

  /** @param begin sends a new process everything that it has to know */
  constructor(command: readonly string[], limits: EngineLimits, begin: (connection: MessageConnection) => void) {
    this.#command = command
    this.#limits = limits
    this.#begin = begin
  }

  /** Starts the process ahead of the first job. */
  start(): void {
    this.#process()
  }

  /** Tells the process something; where there is none, the next one learns everything when it starts. */
  tell<T>({ method }: NotificationType<T>, value: T): void {
    this.#yield()
    if (this.#running !== null) void this.#running.connection.sendNotification(method, value).catch(() => {})
  }

  /**
   * Checks a text. The check stops early when another request waits.
   * @throws EngineStopped where it broke a limit
   */
  check(order: Pick<CheckOrder, 'uri' | 'pass'>, isWanted: () => boolean): Promise<Checked> {
    const cancelFile = join(this.#folder, String(++this.#checks))
    const { deadlineMs } = this.#limits
    return this.#add(
      (connection) => connection.sendRequest(checkText, { ...order, cancelFile, deadlineMs }),
      isWanted,
      cancelFile,
    ) as Promise<Checked>
  }

  /**
   * Asks a question; null where it is not wanted any more.
   * @throws EngineStopped where it broke a limit
   */
  ask(question: Question, isWanted: () => boolean): Promise<unknown> {
    return this.#add((connection) => connection.sendRequest(askEngine, question), isWanted, null)
  }

  /** Ends the process. */
  stop(): void {
    this.#isStopped = true
    this.#running?.connection.dispose()
    this.#running?.child.kill('SIGKILL')
    this.#running = null
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #add(work: Job['work'], isWanted: () => boolean, yields: string | null): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const job: Job = { work, isWanted, resolve, reject, yields }
      // Questions of a person go before checks.
      const at = yields === null ? this.#queue.findIndex((it) => it.yields !== null) : -1
      if (at === -1) this.#queue.push(job)
      else this.#queue.splice(at, 0, job)
      if (yields === null) this.#yield()
      void this.#next()
    })
  }

  #yield(): void {
    const file = this.#current?.yields
    if (file !== null && file !== undefined && !this.#isStopped) writeFileSync(file, '')
  }

  async #next(): Promise<void> {
    if (this.#current !== null || this.#isStopped) return
    const job = this.#queue.shift()
    if (job === undefined) return
    if (!job.isWanted()) {
      job.resolve(null)
      return this.#next()
    }
    this.#current = job
    try {
      job.resolve(await this.#limited(job))
    } catch (error) {
      job.reject(error instanceof Error ? error : new Error(String(error)))
    } finally {
      if (job.yields !== null) rmSync(job.yields, { force: true })
      this.#current = null
      void this.#next()
    }
  }

  async #limited(job: Job): Promise<unknown> {
    const running = this.#process()
    const { child } = running
    let reason = 'its process ended unexpectedly'
    const end = (why: string): void => {
      reason = why
      child.kill('SIGKILL')
    }
    const { deadlineMs, graceMs, memoryMb } = this.#limits
    const timer = setTimeout(() => end(`it took longer than ${deadlineMs / 1000} seconds`), deadlineMs + graceMs)
    const look = async (): Promise<void> => {
      const mb = await residentMb(child.pid ?? 0)
      if (mb !== null && mb > memoryMb) end(`it needed more than ${memoryMb} MB of memory`)
    }
    const watch = setInterval(() => void look(), watchEveryMs)
    const ended = async (): Promise<never> => {
      await running.gone
      throw new EngineStopped(reason)
    }
    const gone = ended()
    try {
      return await Promise.race([job.work(running.connection), gone])
    } finally {
      clearTimeout(timer)
      clearInterval(watch)
      gone.catch(() => {})
    }
  }

  #process(): Running {
    if (this.#running !== null) return this.#running
    const [program = '', ...args] = this.#command
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    )
    connection.onError(() => {})
    const gone = new Promise<void>((resolve) => {
      const leave = (): void => {
        if (this.#running?.child === child) this.#running = null
        resolve()
        // What still waits for an answer learns first why it will not get one.
        setImmediate(() => connection.dispose())
      }
      child.once('error', leave)
      child.once('exit', leave)
    })
    connection.listen()
    const running: Running = { child, connection, gone }
    this.#running = running
    this.#begin(connection)
    return running
  }
}
