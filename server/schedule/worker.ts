import { isoOf } from '../../db/clock.ts'
import type { Deps } from '../kit/door.ts'
import { runLoop, Share, type Begin, type Worker } from '../loop/door.ts'
import type { DueKind } from './define.ts'
import { Hold, leaseMs } from './hold.ts'
import { dueRows, endRow, failRow, scheduleService, takeRow, type DueRow } from './rows.ts'

export interface ScheduleOptions {
  readonly deps: Deps
  readonly kinds: readonly DueKind[]
  /** How much is done at a time, of which one organization has half at most. */
  readonly concurrency?: number
  /** Pause between looks at what is due, ten per cent longer or shorter by chance; `wake` ends it early. */
  readonly tickMs?: number
  readonly onFault: (fault: unknown, where: string) => void
}

/** How many due rows are looked at, at a time. */
const mostLooked = 50

/** Does one piece and writes how it ended. */
async function runRow(
  options: ScheduleOptions,
  kind: DueKind,
  row: DueRow,
  hold: Hold,
  cutOff: AbortSignal,
): Promise<void> {
  const { deps, onFault } = options
  const { db, clock } = deps
  const { subjectId, tenantId } = row
  const signal = AbortSignal.any([cutOff, AbortSignal.timeout(kind.longestMs)])
  try {
    const next = await kind.run({ subjectId, tenantId, deps, signal })
    await endRow(db, row, await hold.end(), kind.everyMs === undefined ? next : clock.now() + kind.everyMs)
  } catch (fault) {
    const until = await hold.end()
    // What the end of the process cut off did not fail: it is due again at once.
    if (cutOff.aborted) return endRow(db, row, until, clock.now())
    onFault(fault, `${row.kind} ${subjectId}`)
    await failRow(db, row, until, clock.now())
  }
}

const nameOf = ({ kind, subjectId }: DueRow): string => `${kind} ${subjectId}`

/** What this process is at: a process that was blocked for long does not take its own work a second time. */
class Held {
  readonly #holds = new Map<string, Hold>()

  has(row: DueRow): boolean {
    const hold = this.#holds.get(nameOf(row))
    return hold !== undefined && !hold.isOver && isoOf(hold.until) === row.dueAt
  }

  async during(row: DueRow, hold: Hold, work: Promise<void>): Promise<void> {
    this.#holds.set(nameOf(row), hold)
    try {
      await work
    } finally {
      if (this.#holds.get(nameOf(row)) === hold) this.#holds.delete(nameOf(row))
    }
  }
}

/** Does what is due until the signal aborts. Any number of processes share a schedule: each piece of work is done by one of them. */
export function startSchedule(options: ScheduleOptions, signal: AbortSignal): Worker {
  const { deps, kinds, concurrency = 8, tickMs = 2000, onFault } = options
  const { db, clock } = deps
  const share = new Share(concurrency)
  const held = new Held()
  let isReady = false
  const claim = async (begin: Begin): Promise<number> => {
    if (!isReady) await scheduleService(db, kinds, clock.now())
    isReady = true
    const rows = await dueRows(db.read, { kinds, now: clock.now(), most: mostLooked, busy: share.full })
    const due = rows.map((row) => ({ row, tenantId: row.tenantId, since: row.dueAt }))
    let taken = 0
    for (const { row } of share.order(due)) {
      if (signal.aborted || share.free === 0) break
      const kind = kinds.find((one) => one.kind === row.kind)
      const until = clock.now() + leaseMs
      if (kind === undefined || held.has(row) || share.freeOf(row.tenantId) === 0) continue
      if (!(await takeRow(db, row, until))) continue
      const { longestMs } = kind
      const onLeaseFault = (fault: unknown) => onFault(fault, nameOf(row))
      const hold = new Hold({ db, clock, row, until, longestMs, onFault: onLeaseFault })
      begin(row.tenantId, `due ${row.kind}`, (cutOff) =>
        held.during(row, hold, runRow(options, kind, row, hold, cutOff)),
      )
      taken += 1
    }
    return taken
  }
  // The work is light: what ends does so soon, and the rest is due again.
  return runLoop({ claim, share, pollMs: tickMs, drainMs: 0, onFault: (fault) => onFault(fault, 'schedule') }, signal)
}
