/** Gateways that have not reported for two minutes. */
import { and, eq, isNotNull, isNull, lte } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import { environments, gatewayEnforcers } from '../../db/tables.gen.ts'
import { silentMs } from '../../src/gateway/gateway-state.ts'
import type { Deps } from '../kit/door.ts'
import { recordEvent } from '../outbox/door.ts'

/** How many are reported at a time; the others follow half a minute later. */
const most = 200

/** Reports each gateway that became silent, once until it is heard of again. */
export async function noticeSilent(deps: Deps): Promise<number> {
  const { db, clock } = deps
  const now = clock.now()
  const isSilent = and(
    isNotNull(gatewayEnforcers.lastSeenAt),
    lte(gatewayEnforcers.lastSeenAt, isoOf(now - silentMs)),
    isNull(gatewayEnforcers.silentAt),
  )
  const rows = await db.read
    .select({ enforcer: gatewayEnforcers, environment: environments })
    .from(gatewayEnforcers)
    .innerJoin(environments, eq(environments.id, gatewayEnforcers.environmentId))
    .where(isSilent)
    .limit(most)
  let reported = 0
  for (const { enforcer, environment } of rows) {
    const { tenantId } = enforcer
    const one = inTenant(gatewayEnforcers, tenantId, and(eq(gatewayEnforcers.id, enforcer.id), isSilent))
    const isReported = await db.inTransaction(async (tx) => {
      const at = isoOf(now)
      const set = await tx
        .update(gatewayEnforcers)
        .set({ silentAt: at })
        .where(one)
        .returning({ id: gatewayEnforcers.id })
      if (set.length === 0) return false
      await recordEvent(deps, tx, {
        tenantId,
        type: 'gateway.silent',
        subjectId: enforcer.id,
        payload: {
          environment_id: environment.id,
          environment_slug: environment.slug,
          environment_name: environment.name,
          enforcer_id: enforcer.id,
          enforcer_label: enforcer.label,
          last_seen_at: enforcer.lastSeenAt ?? at,
        },
        at,
      })
      return true
    })
    if (isReported) reported += 1
  }
  return reported
}
