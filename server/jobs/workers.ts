import type { Worker } from '../loop/door.ts'

/** The workers of a process. They start when something is queued for the first time: most commands never import. */
export class Workers {
  readonly #ending = new AbortController()
  readonly #start: (signal: AbortSignal) => Promise<readonly Worker[]>
  #running: Promise<readonly Worker[]> | undefined

  /** @param start loads and starts them; they take no further job once the signal aborts */
  constructor(start: (signal: AbortSignal) => Promise<readonly Worker[]>) {
    this.#start = start
  }

  /** Aborted when the process takes no further work. */
  get ending(): AbortSignal {
    return this.#ending.signal
  }

  /** Makes them look at their queues now. */
  async wake(): Promise<void> {
    if (this.#ending.signal.aborted) return
    this.#running ??= this.#start(this.#ending.signal)
    for (const worker of await this.#running) worker.wake()
  }

  /** Ends them: running jobs finish, or are given back at once with `force`. */
  async stop(force: boolean): Promise<void> {
    this.#ending.abort()
    const running = (await this.#running) ?? []
    if (force) for (const worker of running) worker.giveBack()
    await Promise.all(running.map((worker) => worker.done))
  }
}
