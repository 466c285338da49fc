/** Asks the worker, and begins a new one where an answer takes too long: a page never hangs on a document. */
import type { Said, TaskName, Tasks } from './protocol.ts'

const longestMs = 60_000

interface Waiting {
  readonly resolve: (give: never) => void
  readonly reject: (error: Error) => void
}

/** The engines behind one worker. */
export class Engines {
  readonly #make: () => Worker
  #worker: Worker
  #waiting = new Map<number, Waiting>()
  #last = 0
  ready: Promise<void>

  /** @param make starts a worker that runs `worker.ts` */
  constructor(make: () => Worker) {
    this.#make = make
    ;({ worker: this.#worker, ready: this.ready } = this.#start())
  }

  #start(): { worker: Worker; ready: Promise<void> } {
    const worker = this.#make()
    const ready = new Promise<void>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Said>) => {
        if ('ready' in data) resolve()
        else this.#settle(data)
      })
      worker.addEventListener('error', (event) => {
        reject(new Error(event.message || 'The engines cannot be loaded in this browser.'))
      })
    })
    return { worker, ready }
  }

  #settle(said: Exclude<Said, { ready: true }>): void {
    const waiting = this.#waiting.get(said.id)
    this.#waiting.delete(said.id)
    if ('give' in said) waiting?.resolve(said.give as never)
    else waiting?.reject(new Error(said.refused))
  }

  #restart(): void {
    this.#worker.terminate()
    for (const { reject } of this.#waiting.values())
      reject(new Error(`Stopped after ${longestMs / 1000} seconds. "svc lint" on your machine takes its time.`))
    this.#waiting = new Map()
    ;({ worker: this.#worker, ready: this.ready } = this.#start())
  }

  /** Whether something is being worked on. */
  get isBusy(): boolean {
    return this.#waiting.size > 0
  }

  /**
   * Gives the answer of a task.
   * @throws Error with a sentence that says why there is none
   */
  async ask<Name extends TaskName>(task: Name, take: Tasks[Name]['take']): Promise<Tasks[Name]['give']> {
    await this.ready
    const id = ++this.#last
    const timer = setTimeout(() => this.#restart(), longestMs)
    try {
      return await new Promise<Tasks[Name]['give']>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        this.#worker.postMessage({ id, task, take })
      })
    } finally {
      clearTimeout(timer)
    }
  }
}
