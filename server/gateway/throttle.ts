/**
 * How much one gateway may send: lines that are looked at, and rows that they begin. Both are limited for all processes together: when an
 * allowance is full again is a column of the gateway.
 */
import { eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Database, Transaction } from '../../db/database.ts'
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

// A process forgets gateways that did not send for long: it asks the database for what it does not know.
const mostRemembered = 10_000

/** What a process knows of the allowances of gateways: others may have taken more, never less. */
export class KnownAllowances {
  readonly #fullAt = new Map<string, number>()

  /** When the allowance of a gateway is full again, as far as is known. */
  of(key: string, now: number): number {
    return this.#fullAt.get(key) ?? now
  }

  note(key: string, fullAt: number): void {
    this.#fullAt.delete(key)
    this.#fullAt.set(key, fullAt)
    const [oldest] = this.#fullAt.keys()
    if (this.#fullAt.size > mostRemembered && oldest !== undefined) this.#fullAt.delete(oldest)
  }
}

/** In how many seconds there is enough; 0: now. */
function waitFor(limit: Limit, fullAt: number, wanted: number, now: number): number {
  const { given } = takeFrom(limit, fullAt, wanted, now)
  return given === wanted ? 0 : Math.max(1, Math.ceil((wanted - given) / limit.perSecond))
}

/**
 * Takes lines that a gateway sends, all or none, for all processes together.
 * @param known what this process knows: a gateway that is known to have sent too much costs no transaction
 * @param now in milliseconds since the epoch
 * @returns in how many seconds there will be enough; 0: they were taken
 */
export async function takeLines(
  db: Database,
  { id, tenantId }: Pick<typeof gatewayEnforcers.$inferSelect, 'id' | 'tenantId'>,
  { limit, known }: { readonly limit: Limit; readonly known: KnownAllowances },
  wanted: number,
  now: number,
): Promise<number> {
  const sure = waitFor(limit, known.of(id, now), wanted, now)
  if (sure > 0) return sure
  const mine = inTenant(gatewayEnforcers, tenantId, eq(gatewayEnforcers.id, id))
  return db.inTransaction(async (tx) => {
    await tx.lock(`gateway-lines:${id}`)
    const [row] = await tx.select({ at: gatewayEnforcers.linesFullAt }).from(gatewayEnforcers).where(mine)
    const before = row?.at == null ? now : Date.parse(row.at)
    const wait = waitFor(limit, before, wanted, now)
    const { fullAt } = wait > 0 ? { fullAt: before } : takeFrom(limit, before, wanted, now)
    if (wait === 0)
      await tx
        .update(gatewayEnforcers)
        .set({ linesFullAt: isoOf(fullAt) })
        .where(mine)
    tx.afterCommit(() => known.note(id, fullAt))
    return wait
  })
}
