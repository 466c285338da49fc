/** Writes deliveries that proved themselves. Those of a moment are written together: one wait for the disk for many of them. */
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { hookEvents, repositoryHooks } from '../../db/tables.gen.ts'
import { yieldToEventLoop } from '../../db/yield.ts'
import type { Deps } from '../kit/door.ts'
import { scheduleBy } from '../schedule/door.ts'
import type { HookRow } from './row.ts'

/** What is listed of a delivery. */
export interface HookEntry {
  readonly event: string
  readonly deliveryId: string | null
  readonly outcome: (typeof hookEvents.$inferSelect)['outcome']
  readonly ref: string | null
}

/** A delivery that proved itself. */
interface Proven {
  readonly row: HookRow
  readonly entry: Omit<HookEntry, 'outcome'>
  /** What the hook is after it. */
  readonly state: HookRow['state']
  readonly isWarned: boolean
  /** Whether a ref may have moved. */
  readonly isHeard: boolean
}

type Taken = 'accepted' | 'duplicate' | 'ignored'

/** Pushes that follow each other are read together: the first at once, the others this long after the one before. */
const gatherMs = 2000
/** Deliveries of one transaction: few enough that other writers do not wait long. */
const mostTogether = 100

const readAt = ({ lastDeliveryAt }: HookRow, now: number): number =>
  Math.max(now, lastDeliveryAt === null ? 0 : Math.min(Date.parse(lastDeliveryAt), now) + gatherMs)

/** Lists a delivery. */
export async function writeEvent(
  tx: Transaction,
  row: HookRow,
  entry: HookEntry,
  at: string,
  takenId: string | null,
): Promise<void> {
  const { id: hookId, tenantId } = row
  await tx.insert(hookEvents).values({ id: newId(), tenantId, hookId, at, ...entry, takenId })
}

async function writeOne(tx: Transaction, { row, entry, isHeard, isWarned }: Proven, at: string): Promise<Taken> {
  const heard = isWarned ? ('ip-warned' as const) : ('accepted' as const)
  const outcome = isHeard ? heard : ('ignored' as const)
  try {
    await tx.savepoint((inner) => writeEvent(inner, row, { ...entry, outcome }, at, entry.deliveryId))
    return isHeard ? 'accepted' : 'ignored'
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await writeEvent(tx, row, { ...entry, outcome: 'duplicate' }, at, null)
    return 'duplicate'
  }
}

const orderOf = ({ row, entry }: Proven): string => `${row.id} ${entry.deliveryId ?? ''}`

/** All lists first, then the hooks, then the schedule, each in the same order: so replicas never wait for each other in a circle. */
async function writeAll(deps: Deps, all: readonly Proven[]): Promise<ReadonlyMap<Proven, Taken>> {
  const ordered = all.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  return deps.db.inTransaction(async (tx) => {
    const at = deps.clock.iso()
    const outcomes = new Map<Proven, Taken>()
    for (const one of ordered) outcomes.set(one, await writeOne(tx, one, at))
    const fresh = ordered.filter((one) => outcomes.get(one) !== 'duplicate')
    const byHook = [...Map.groupBy(fresh, ({ row }) => row.id).values()]
    for (const [first, ...rest] of byHook) {
      if (first === undefined) continue
      const state = [first, ...rest].some((one) => one.state === 'active') ? 'active' : first.state
      const own = inTenant(repositoryHooks, first.row.tenantId, eq(repositoryHooks.id, first.row.id))
      await tx.update(repositoryHooks).set({ state, lastDeliveryAt: at }).where(own)
    }
    for (const some of byHook) {
      const row = some.find((one) => outcomes.get(one) === 'accepted')?.row
      if (row === undefined) continue
      const { repositoryId: subjectId, tenantId } = row
      await scheduleBy(tx, 'repository.push', { subjectId, tenantId, at: readAt(row, deps.clock.now()) })
      tx.afterCommit(deps.wake)
    }
    return outcomes
  })
}

interface Waiting {
  readonly one: Proven
  readonly done: PromiseWithResolvers<Taken>
}

class Taker {
  #waiting: Waiting[] = []
  #isWriting = false

  take(deps: Deps, one: Proven): Promise<Taken> {
    const done = Promise.withResolvers<Taken>()
    this.#waiting.push({ one, done })
    if (!this.#isWriting) void this.#write(deps)
    return done.promise
  }

  async #write(deps: Deps): Promise<void> {
    this.#isWriting = true
    // What arrived meanwhile comes first to where it waits.
    await yieldToEventLoop()
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0, mostTogether)
      if (!(await this.#together(deps, some))) for (const it of some) await this.#alone(deps, it)
      await yieldToEventLoop()
    }
    this.#isWriting = false
  }

  async #together(deps: Deps, some: readonly Waiting[]): Promise<boolean> {
    if (some.length === 1) return false
    try {
      const outcomes = await writeAll(
        deps,
        some.map(({ one }) => one),
      )
      for (const { one, done } of some) done.resolve(outcomes.get(one) ?? 'duplicate')
      return true
    } catch {
      // One of them failed: the others are written without it.
      return false
    }
  }

  async #alone(deps: Deps, { one, done }: Waiting): Promise<void> {
    try {
      done.resolve((await writeAll(deps, [one])).get(one) ?? 'duplicate')
    } catch (error) {
      done.reject(error)
    }
  }
}

const takers = new WeakMap<Database, Taker>()

/** Takes a delivery once, and has its repository read where a ref may have moved. */
export function takeDelivery(deps: Deps, one: Proven): Promise<Taken> {
  const known = takers.get(deps.db)
  if (known !== undefined) return known.take(deps, one)
  const taker = new Taker()
  takers.set(deps.db, taker)
  return taker.take(deps, one)
}
