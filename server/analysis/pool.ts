import { SvcError } from '../../src/errors.ts'
import { addFills, type CacheFill } from '../../src/kernel/sized-cache.ts'
import { AnalysisProcess, Ended, type End, type Limits, type Outcome, type Work } from './process.ts'
import { titleOf } from './titles.ts'

export interface PoolOptions extends Limits {
  /** How many processes work at a time. */
  readonly processes: number
}

// How long a process stays without work.
const restMs = 300_000

/** What a task made. */
export type Done = Extract<Outcome, { readonly kind: 'done' | 'bytes' }>

/** How much the processes have to do, and what they keep. */
export interface PoolLoad {
  readonly working: number
  readonly idle: number
  /** Tasks that wait for a process. */
  readonly waiting: number
  readonly caches: ReadonlyMap<string, CacheFill>
  /** Resident memory of all processes together; 0 where this system does not say. */
  readonly memoryBytes: number
}

interface Waiting {
  readonly tenantId: string
  readonly start: () => void
}

const seconds = (ms: number): string => `${(ms / 1000).toLocaleString('en')} seconds`
const listed = (rules: readonly string[]): string =>
  rules.length > 3 ? `${rules.slice(0, 3).join(', ')} and ${rules.length - 3} more` : rules.join(', ')

/**
 * Analyses documents in processes of their own: none takes longer than the deadline or more memory than the limit, and none keeps
 * the server from answering. Of several processes one tenant never has all.
 */
export class AnalysisPool {
  readonly #options: PoolOptions
  readonly #idle: AnalysisProcess[] = []
  readonly #all = new Set<AnalysisProcess>()
  readonly #waiting: Waiting[] = []
  readonly #busy = new Map<string, number>()
  #running = 0
  #isStopped = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Starts a process before there is work, so that the first task need not wait for it. */
  warm(): void {
    if (this.#all.size === 0) this.#rest(this.#spawn())
  }

  /**
   * Does a task for a tenant as soon as it is its turn.
   * @throws SvcError `analysis-stopped` where it broke a limit, and what the task refuses
   */
  async run(tenantId: string, work: Work): Promise<Done> {
    await this.#turn(tenantId)
    try {
      work.signal?.throwIfAborted()
      return await this.#try(work, true)
    } finally {
      this.#running -= 1
      const left = (this.#busy.get(tenantId) ?? 1) - 1
      if (left === 0) this.#busy.delete(tenantId)
      else this.#busy.set(tenantId, left)
      this.#startNext()
    }
  }

  #mayStart(tenantId: string): boolean {
    const { processes } = this.#options
    return this.#running < processes && (this.#busy.get(tenantId) ?? 0) < Math.max(1, processes - 1)
  }

  #turn(tenantId: string): Promise<void> {
    const begin = (): void => {
      this.#running += 1
      this.#busy.set(tenantId, (this.#busy.get(tenantId) ?? 0) + 1)
    }
    if (this.#mayStart(tenantId)) {
      begin()
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const start = (): void => {
        begin()
        resolve()
      }
      this.#waiting.push({ tenantId, start })
    })
  }

  // Whose turn it is: of those who may, the tenant with the fewest tasks under way, then who waits longest.
  #startNext(): void {
    for (;;) {
      const next = this.#waiting
        .filter((it) => this.#mayStart(it.tenantId))
        .sort((a, b) => (this.#busy.get(a.tenantId) ?? 0) - (this.#busy.get(b.tenantId) ?? 0))[0]
      if (next === undefined) return
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      next.start()
    }
  }

  async #try(work: Work, mayRepeat: boolean): Promise<Done> {
    if (this.#isStopped) throw new SvcError('service-stopping')
    const worker = this.#idle.pop() ?? this.#spawn()
    let outcome: Outcome
    try {
      outcome = await worker.run(work)
    } catch (error) {
      this.#end(worker)
      if (!(error instanceof Ended)) throw error
      if (error.end === 'signal')
        throw work.signal?.aborted === true ? work.signal.reason : new SvcError('service-stopping')
      // What earlier tasks left behind is not this one's fault: it gets a process that has done nothing yet.
      if (mayRepeat && error.end !== 'time' && worker.tasks > 1) return this.#try(work, false)
      throw this.#ended(work, error.end, error.rules)
    }
    if (await worker.isBloated()) this.#end(worker)
    else this.#rest(worker)
    switch (outcome.kind) {
      case 'done':
      case 'bytes':
        return outcome
      case 'refused':
        throw new SvcError(outcome.code, outcome.detail)
      case 'stopped':
        throw this.#stopped(work, outcome)
      case 'unanswered':
        throw new Error('a task waits for an answer that no process gives')
      case 'fault':
        throw Object.assign(new Error(outcome.message), { stack: outcome.stack ?? '' })
    }
  }

  #spawn(): AnalysisProcess {
    const made = new AnalysisProcess(this.#options)
    this.#all.add(made)
    return made
  }

  // It stays warm for the next task and gives its memory back where none comes; one that has done little stays for good.
  #rest(worker: AnalysisProcess): void {
    this.#idle.push(worker)
    const { tasks } = worker
    setTimeout(() => {
      const at = this.#idle.indexOf(worker)
      if (at === -1 || worker.tasks !== tasks || (tasks === 0 && this.#idle.length === 1)) return
      this.#idle.splice(at, 1)
      this.#end(worker)
      this.warm()
    }, restMs).unref()
  }

  #end(worker: AnalysisProcess): void {
    worker.stop()
    this.#all.delete(worker)
  }

  #stopped(work: Work, { reason, rules }: Outcome & { kind: 'stopped' }): SvcError {
    if (reason === 'time') return this.#ended(work, 'time', rules)
    if (reason === 'depth')
      return new SvcError('analysis-stopped', { ...titleOf(work), reason: 'its parts are nested too deep', rules: [] })
    return new SvcError('analysis-stopped', {
      ...titleOf(work),
      reason:
        rules.length === 0
          ? 'its answer is too large'
          : `it has more findings than an answer can hold, most of them by ${listed(rules)}`,
      rules: [...rules],
    })
  }

  #ended(work: Work, end: Exclude<End, 'signal'>, rules: readonly string[]): SvcError {
    const { deadlineMs, memoryMb } = this.#options
    const reasons = {
      time: `it took longer than ${seconds(deadlineMs)}`,
      memory: `it needed more than ${memoryMb} MB of memory`,
      crash: 'its process ended unexpectedly',
    }
    return new SvcError('analysis-stopped', {
      ...titleOf(work),
      reason: `${reasons[end]}${rules.length === 0 ? '' : `; running rules: ${listed(rules)}`}`,
      rules: [...rules],
    })
  }

  /** How much its processes have to do, and what they keep. */
  async load(): Promise<PoolLoad> {
    const all = [...this.#all]
    const memory = await Promise.all(all.map((it) => it.residentBytes()))
    return {
      working: this.#running,
      idle: this.#idle.length,
      waiting: this.#waiting.length,
      caches: addFills(all.flatMap((it) => it.caches)),
      memoryBytes: memory.reduce<number>((sum, it) => sum + (it ?? 0), 0),
    }
  }

  /** The ids of its processes. */
  get pids(): readonly number[] {
    return [...this.#all].map(({ pid }) => pid)
  }

  /** Ends all processes, and with them the tasks under way; it does no other. */
  stop(): void {
    this.#isStopped = true
    for (const worker of this.#all) worker.stop()
    this.#all.clear()
    this.#idle.length = 0
  }
}
