/**
 * How much one gateway may send. The rows that it begins are limited for all processes together, since they share the database: when its
 * allowance is full again is a column of its row. The lines that are looked at are limited for each process: they cost its time.
 */
import { eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { gatewayEnforcers } from '../../db/tables.gen.ts'

/** An allowance that fills at a rate, up to a most. */
export interface Limit {
  readonly perSecond: number
  readonly most: number
}

/** Rows of events that a gateway may begin: after a pause as many as ten seconds give. */
export const rowLimit: Limit = { perSecond: 50, most: 500 }
/** Lines that are looked at, whatever becomes of them. */
export const lineLimit: Limit = { perSecond: 1000, most: 10_000 }

/** What is given of what is wanted, and when the allowance is full again. */
export interface Granted {
  readonly given: number
  readonly fullAt: number
}

/**
 * Takes from an allowance as much as there is.
 * @param fullAt when it is full again, in milliseconds as `now`; what is in the past is full
 */
export function takeFrom({ perSecond, most }: Limit, fullAt: number, wanted: number, now: number): Granted {
  // A clock that is behind that of another process must not wait longer than an empty allowance takes.
  const lacking = Math.min(Math.max(0, fullAt - now), (most / perSecond) * 1000)
  const left = Math.floor(most - (lacking / 1000) * perSecond)
  const given = Math.max(0, Math.min(wanted, left))
  return { given, fullAt: now + lacking + Math.ceil((given / perSecond) * 1000) }
}

/**
 * Takes rows that a gateway may begin, in the transaction that stores them, which holds the lock of the environment.
 * @returns how many of those wanted it may
 */
export async function takeRows(
  tx: Transaction,
  { id, tenantId }: Pick<typeof gatewayEnforcers.$inferSelect, 'id' | 'tenantId'>,
  limit: Limit,
  wanted: number,
  now: number,
): Promise<number> {
  if (wanted === 0) return 0
  const mine = inTenant(gatewayEnforcers, tenantId, eq(gatewayEnforcers.id, id))
  const [row] = await tx.select({ at: gatewayEnforcers.rowsFullAt }).from(gatewayEnforcers).where(mine)
  const { given, fullAt } = takeFrom(limit, row?.at == null ? now : Date.parse(row.at), wanted, now)
  await tx
    .update(gatewayEnforcers)
    .set({ rowsFullAt: isoOf(fullAt) })
    .where(mine)
  return given
}

// A process forgets gateways that did not send for long; a full allowance is what a new one has.
const mostRemembered = 10_000

/** Allowances of a process, by gateway. */
export class Throttle {
  readonly #fullAt = new Map<string, number>()
  readonly #limit: Limit

  constructor(limit: Limit) {
    this.#limit = limit
  }

  /** Takes all or nothing; answers in how many seconds there will be enough, 0 where they were taken. */
  takeAll(key: string, wanted: number, now: number): number {
    const known = this.#fullAt.get(key) ?? now
    const { given, fullAt } = takeFrom(this.#limit, known, wanted, now)
    const isEnough = given === wanted
    this.#fullAt.delete(key)
    this.#fullAt.set(key, isEnough ? fullAt : known)
    const [oldest] = this.#fullAt.keys()
    if (this.#fullAt.size > mostRemembered && oldest !== undefined) this.#fullAt.delete(oldest)
    return isEnough ? 0 : Math.max(1, Math.ceil((wanted - given) / this.#limit.perSecond))
  }
}
