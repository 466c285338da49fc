import type { Deps } from '../deps.ts'
import { Doorbell } from '../jobs/doorbell.ts'
import type { Worker } from '../jobs/worker.ts'
import type { DueKind } from './define.ts'
import { dueKinds } from './kinds.ts'
import { dueRows, endRow, failRow, scheduleService, takeRow, type DueRow } from './rows.ts'

export interface ScheduleOptions {
  readonly deps: Deps
  readonly kinds?: readonly DueKind[]
  /** How much is done at a time, of which one organization has half at most. */
  readonly concurrency?: number
  /** Pause between looks at what is due, ten per cent longer or shorter by chance; `wake` ends it early. */
  readonly tickMs?: number
  readonly onFault: (fault: unknown, where: string) => void
}

/** How many due rows are looked at, at a time. */
const mostLooked = 50

class Schedule {
  readonly #options: Required<ScheduleOptions>
  readonly #cutOff = new AbortController()
  readonly #running = new Map<Promise<void>, string | null>()
  readonly bell = new Doorbell()

  constructor({ kinds = dueKinds, concurrency = 8, tickMs = 2000, ...rest }: ScheduleOptions) {
    this.#options = { kinds, concurrency, tickMs, ...rest }
  }

  giveBack(): void {
    this.#cutOff.abort(new Error('The worker stops.'))
  }

  async run(signal: AbortSignal): Promise<void> {
    const { deps, kinds, tickMs, onFault } = this.#options
    let isReady = false
    while (!signal.aborted) {
      try {
        if (!isReady) await scheduleService(deps.db, kinds, deps.clock.now())
        isReady = true
        // Again as long as something begins: what an organization has beyond its part does not hide what others have.
        while (!signal.aborted && (await this.#look(signal)) > 0);
      } catch (fault) {
        onFault(fault, 'schedule')
      }
      if (!signal.aborted) await this.bell.wait(tickMs * (0.9 + Math.random() * 0.2))
    }
    // The work is light: what ends does so soon, and the rest is due again.
    this.giveBack()
    await Promise.all(this.#running.keys())
  }

  /** Begins what may begin. */
  async #look(signal: AbortSignal): Promise<number> {
    const { deps, kinds, concurrency } = this.#options
    if (this.#running.size >= concurrency) return 0
    const now = deps.clock.now()
    const rows = await dueRows(deps.db.read, { kinds, now, most: mostLooked, busy: this.#busy() })
    let begun = 0
    for (const row of rows) {
      if (signal.aborted || this.#running.size >= concurrency) break
      if (row.tenantId !== null && this.#busy().includes(row.tenantId)) continue
      const kind = kinds.find((one) => one.kind === row.kind)
      const until = deps.clock.now() + (kind?.longestMs ?? 0)
      if (kind === undefined || !(await takeRow(deps.db, row, until))) continue
      this.#begin(kind, row, until)
      begun += 1
    }
    return begun
  }

  /** The organizations that have their part of what is done at a time. */
  #busy(): string[] {
    const most = Math.max(1, Math.ceil(this.#options.concurrency / 2))
    const tenants = [...this.#running.values()].filter((one) => one !== null)
    return [...new Set(tenants)].filter((tenantId) => tenants.filter((one) => one === tenantId).length >= most)
  }

  #begin(kind: DueKind, row: DueRow, until: number): void {
    const running: Promise<void> = this.#do(kind, row, until).finally(() => {
      this.#running.delete(running)
      this.bell.ring()
    })
    this.#running.set(running, row.tenantId)
  }

  async #do(kind: DueKind, row: DueRow, until: number): Promise<void> {
    const { deps, onFault } = this.#options
    const { db, clock } = deps
    const signal = AbortSignal.any([this.#cutOff.signal, AbortSignal.timeout(kind.longestMs)])
    const { subjectId, tenantId } = row
    try {
      const next = await kind.run({ subjectId, tenantId, deps, signal })
      await endRow(db, row, until, kind.everyMs === undefined ? next : clock.now() + kind.everyMs)
    } catch (fault) {
      // What the end of the process cut off did not fail: it is due again at once.
      const isCutOff = this.#cutOff.signal.aborted
      if (!isCutOff) onFault(fault, `${row.kind} ${subjectId}`)
      const end = isCutOff ? endRow(db, row, until, clock.now()) : failRow(db, row, until, clock.now())
      await end.catch((second: unknown) => onFault(second, 'schedule'))
    }
  }
}

/** Does what is due until the signal aborts. Any number of processes share a schedule: each piece of work is done by one of them. */
export function startSchedule(options: ScheduleOptions, signal: AbortSignal): Worker {
  const it = new Schedule(options)
  const wake = () => it.bell.ring()
  signal.addEventListener('abort', wake, { once: true })
  return { wake, giveBack: () => it.giveBack(), done: it.run(signal) }
}
