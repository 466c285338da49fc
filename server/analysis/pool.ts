import { SvcError } from '../../src/errors.ts'
import type { Subject } from './analysis.ts'
import { AnalysisProcess, Ended, type End, type Limits } from './process.ts'
import type { Answer, Task } from './wire.ts'

export interface PoolOptions extends Limits {
  /** How many processes work at a time. */
  readonly processes: number
}

// How long a process stays without work.
const restMs = 300_000

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

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Starts a process before there is work, so that the first task need not wait for it. */
  warm(): void {
    if (this.#all.size === 0) this.#rest(this.#spawn())
  }

  /**
   * Does a task for a tenant as soon as it is its turn.
   * @throws SvcError `analysis-stopped` where it broke a limit
   */
  async run(tenantId: string, task: Task, subjects: readonly Subject[]): Promise<Answer> {
    await this.#turn(tenantId)
    try {
      return await this.#try(task, subjects, true)
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

  async #try(task: Task, subjects: readonly Subject[], mayRepeat: boolean): Promise<Answer> {
    const worker = this.#idle.pop() ?? this.#spawn()
    try {
      const answer = await worker.run(task, subjects)
      if (await worker.isBloated()) this.#end(worker)
      else this.#rest(worker)
      if (answer.kind === 'stopped') throw this.#stopped(task, answer)
      if (answer.kind === 'fault') throw Object.assign(new Error(answer.message), { stack: answer.stack ?? '' })
      return answer
    } catch (error) {
      if (!(error instanceof Ended)) throw error
      this.#end(worker)
      // What earlier tasks left behind is not this one's fault: it gets a process that has done nothing yet.
      if (mayRepeat && error.end !== 'time' && worker.tasks > 1) return this.#try(task, subjects, false)
      throw this.#ended(task, error.end, error.rules)
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

  #stopped(task: Task, { reason, rules }: Answer & { kind: 'stopped' }): SvcError {
    if (reason === 'time') return this.#ended(task, 'time', rules)
    return new SvcError('analysis-stopped', {
      ...of(task),
      reason: `it has more findings than an answer can hold, most of them by ${listed(rules)}`,
      rules: [...rules],
    })
  }

  #ended(task: Task, end: End, rules: readonly string[]): SvcError {
    const { deadlineMs, memoryMb } = this.#options
    const reasons = {
      time: `it took longer than ${seconds(deadlineMs)}`,
      memory: `it needed more than ${memoryMb} MB of memory`,
      crash: 'its process ended unexpectedly',
    }
    return new SvcError('analysis-stopped', {
      ...of(task),
      reason: `${reasons[end]}${rules.length === 0 ? '' : `; running rules: ${listed(rules)}`}`,
      rules: [...rules],
    })
  }

  /** Ends all processes. */
  stop(): void {
    for (const worker of this.#all) worker.stop()
    this.#all.clear()
    this.#idle.length = 0
  }
}

const of = (task: Task): { what: string; under: string } =>
  task.kind === 'open'
    ? { what: `Reading ${task.subject.source}`, under: '' }
    : task.kind === 'look'
      ? { what: `The analysis of ${task.subject.source}`, under: ` under the style guide ${task.guide.name}` }
      : { what: `The comparison of ${task.base.source} with ${task.head.source}`, under: '' }
