/** Counts calls of gateways by day, for coverage. */
import { and, eq, sql } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { gatewaySeen } from '../../db/tables.gen.ts'
import { inParts } from '../auth/door.ts'
import type { EnvironmentKey } from './release-rows.ts'

/** How often something was called in a minute. */
export interface SeenCalls {
  readonly at: string
  readonly method: string
  readonly route: string | null
  readonly pathShape: string | null
  readonly count: number
}

/** A client may ask for any path: so many lines of a day are kept apart, the rest is counted together. */
const mostSeenOfDay = 5000
/** How further paths are counted. */
export const otherPaths = '(other)'

/** Counts calls by day. */
export async function addSeen(
  tx: Transaction,
  { id, tenantId }: EnvironmentKey,
  calls: readonly SeenCalls[],
): Promise<void> {
  const days = Map.groupBy(calls, ({ at }) => at.slice(0, 10))
  for (const [day, ofDay] of days) {
    const stored = await tx
      .select({ method: gatewaySeen.method, route: gatewaySeen.route, pathShape: gatewaySeen.pathShape })
      .from(gatewaySeen)
      .where(inTenant(gatewaySeen, tenantId, and(eq(gatewaySeen.environmentId, id), eq(gatewaySeen.day, day))))
    const keyOf = (...parts: readonly string[]) => parts.join('\n')
    const known = new Set(stored.map((it) => keyOf(it.method, it.route, it.pathShape)))
    const rows = new Map<string, typeof gatewaySeen.$inferSelect>()
    for (const { at, method, count, ...place } of ofDay) {
      const [route, shape] = [place.route ?? '', place.route === null ? (place.pathShape ?? '') : '']
      const isRoom = known.size < mostSeenOfDay || known.has(keyOf(method, route, shape))
      const pathShape = isRoom ? shape : otherPaths
      const key = isRoom ? keyOf(method, route, shape) : keyOf(method, '', otherPaths)
      if (isRoom) known.add(key)
      const was = rows.get(key)
      rows.set(key, {
        environmentId: id,
        day,
        method,
        route: isRoom ? route : '',
        pathShape,
        tenantId,
        count: count + (was?.count ?? 0),
        firstAt: was !== undefined && was.firstAt < at ? was.firstAt : at,
        lastAt: was !== undefined && was.lastAt > at ? was.lastAt : at,
      })
    }
    const { count, firstAt, lastAt } = gatewaySeen
    for (const part of inParts([...rows.values()], 200))
      await tx
        .insert(gatewaySeen)
        .values(part)
        .onConflictDoUpdate({
          target: [
            gatewaySeen.environmentId,
            gatewaySeen.day,
            gatewaySeen.method,
            gatewaySeen.route,
            gatewaySeen.pathShape,
          ],
          set: {
            count: sql`${count} + excluded.count`,
            firstAt: sql`case when excluded.first_at < ${firstAt} then excluded.first_at else ${firstAt} end`,
            lastAt: sql`case when excluded.last_at > ${lastAt} then excluded.last_at else ${lastAt} end`,
          },
        })
  }
}
