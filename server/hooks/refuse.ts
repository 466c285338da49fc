/** Deliveries that were refused: counted in memory, and written seldom, so that a client that knows the address of a hook delays no one. */
import { and, count, eq, gt, inArray } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Database } from '../../db/database.ts'
import { hookEvents } from '../../db/tables.gen.ts'
import { Refusals } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { findRepository, notice } from '../repositories/door.ts'
import type { HookRow } from './row.ts'
import { writeEvent, type HookEntry } from './take.ts'
import { Writing } from './writing.ts'

/** Refused deliveries of a network to a hook in a minute that are answered with the reason. Right ones are taken: the network may be that of a proxy. */
const mostAnswered = 60
/** After so many nothing of the network is read. */
const mostHeard = 600
/** Refused deliveries of a hook that are listed, of an hour. */
const mostListed = 60
const hourMs = 3_600_000
const refusals = ['bad-signature', 'ip-blocked', 'too-large', 'too-slow'] as const
export type Refusal = (typeof refusals)[number]

/** What was refused lately in one database. */
interface Lately {
  readonly counts: Refusals
  readonly writing: Writing
}

const known = new WeakMap<Database, Lately>()

function latelyIn(db: Database): Lately {
  const lately = known.get(db) ?? { counts: new Refusals(mostAnswered, mostHeard), writing: new Writing() }
  known.set(db, lately)
  return lately
}

/**
 * Refuses a network whose deliveries to a hook were refused too often, before anything is read.
 * @param subject the id of the hook, or of the App
 * @throws SvcError `refusals-exceeded`
 */
export const assertHeard = (deps: Deps, subject: string, address: string | null): void =>
  latelyIn(deps.db).counts.assert(subject, address, deps.clock.now())

/**
 * Counts a delivery that was refused.
 * @throws SvcError `refusals-exceeded` where many were
 */
export const countRefused = (deps: Deps, subject: string, address: string | null): void =>
  latelyIn(deps.db).counts.count(subject, address, deps.clock.now())

/**
 * Counts a delivery that was refused, lists one of many, and notifies people; the state of the hook stays as it is.
 * @param about `reason` says why, as the end of a sentence
 * @throws SvcError `refusals-exceeded` where many of the network were
 */
export async function refuse(
  deps: Deps,
  row: HookRow,
  entry: HookEntry & { readonly outcome: Refusal },
  about: { readonly address: string | null; readonly reason: string },
): Promise<void> {
  const now = deps.clock.now()
  const stands = latelyIn(deps.db).writing.take(row.id, now)
  if (stands === 0) return countRefused(deps, row.id, about.address)
  const isRefused = inTenant(
    hookEvents,
    row.tenantId,
    and(
      eq(hookEvents.hookId, row.id),
      gt(hookEvents.at, isoOf(now - hourMs)),
      inArray(hookEvents.outcome, [...refusals]),
    ),
  )
  await deps.db.inTransaction(async (tx) => {
    const [listed] = await tx.select({ n: count() }).from(hookEvents).where(isRefused)
    if ((listed?.n ?? 0) < mostListed) await writeEvent(tx, row, entry, isoOf(now), null)
    const repository = await findRepository(tx, row.tenantId, row.repositoryId)
    await notice(deps, tx, repository, 'webhook.rejected', `a delivery of its webhook was refused: ${about.reason}`, {
      view: 'webhook',
    })
  })
  countRefused(deps, row.id, about.address)
}
