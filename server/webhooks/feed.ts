import { asc, gte, inArray } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import { outboxEvents } from '../../db/tables.gen.ts'
import { tenantOf } from '../auth/caller.ts'
import type { Grant } from '../auth/grant.ts'
import type { Deps } from '../deps.ts'
import { bodyOfEvent, publicTypes, type PublicEvent } from './event-body.ts'

export interface Feed {
  events: { id: string; payload: Record<string, unknown> }[]
  now: string
}

const pauseMs = 250

/** The events since an instant, as webhooks receive them; without any it waits for the first one, `waitMs` at most. */
export async function waitForEvents(
  deps: Deps,
  grant: Grant,
  it: { readonly since: string; readonly limit: number; readonly waitMs: number },
  signal: AbortSignal,
): Promise<Feed> {
  const { id: tenantId, slug: tenant } = tenantOf(grant)
  const since = isoOf(Date.parse(it.since))
  const place = { publicUrl: deps.publicUrl(), tenant }
  const deadline = performance.now() + it.waitMs
  for (;;) {
    const now = deps.clock.iso()
    const rows = await deps.db.read
      .select()
      .from(outboxEvents)
      .where(
        inTenant(
          outboxEvents,
          tenantId,
          inArray(outboxEvents.type, [...publicTypes]),
          gte(outboxEvents.createdAt, since),
        ),
      )
      .orderBy(asc(outboxEvents.createdAt), asc(outboxEvents.id))
      .limit(it.limit)
    if (rows.length > 0 || performance.now() >= deadline || signal.aborted) {
      // Every row of these types was written by `recordEvent`.
      const events = rows.map((row) => ({
        id: row.id,
        payload: { ...bodyOfEvent(row as unknown as PublicEvent, place) },
      }))
      return { events, now }
    }
    await Bun.sleep(pauseMs)
  }
}
