import { asc, gte, inArray } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import { outboxEvents } from '../../db/tables.gen.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { type PublicEvent, readerTypes } from '../outbox/door.ts'
import { bodyOfEvent } from './event-body.ts'

export interface Feed {
  events: { id: string; payload: Record<string, unknown> }[]
  now: string
}

const pauseMs = 250

/** The events since an instant, as webhooks receive them; without any it waits for the first one, `waitMs` at most. */
export async function waitForEvents(
  deps: Deps,
  grant: Grant,
  entry: { readonly since: string; readonly limit: number; readonly waitMs: number },
  signal: AbortSignal,
): Promise<Feed> {
  const { id: tenantId, slug: tenant } = tenantOf(grant)
  const since = isoOf(Date.parse(entry.since))
  const place = { publicUrl: deps.publicUrl(), tenant }
  const deadline = performance.now() + entry.waitMs
  for (;;) {
    const now = deps.clock.iso()
    const rows = await deps.db.read
      .select()
      .from(outboxEvents)
      .where(
        inTenant(
          outboxEvents,
          tenantId,
          inArray(outboxEvents.type, readerTypes.webhooks),
          gte(outboxEvents.createdAt, since),
        ),
      )
      .orderBy(asc(outboxEvents.createdAt), asc(outboxEvents.id))
      .limit(entry.limit)
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
