/** Whether an organization requires a second factor of its members. */
import { and, count, eq, isNotNull, not } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { memberships, tenants, users } from '../../db/tables.gen.ts'
import type { SecondFactorPolicy } from '../../src/api/tenants.ts'
import { SvcError } from '../../src/errors.ts'
import {
  type Grant,
  hasFactor,
  lacksSecondFactor,
  personOf,
  recordAudit,
  requiresSecondFactor,
  tenantOf,
} from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'

/** Active members who sign in with a password alone. */
async function countLacking(read: Reader, tenantId: string): Promise<number> {
  const lacking = and(isNotNull(users.passwordHash), not(hasFactor(read, users.id)))
  const [row] = await read
    .select({ n: count() })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(inTenant(memberships, tenantId, eq(memberships.status, 'active')), lacking))
  return row?.n ?? 0
}

/** Whether the organization requires a second factor, and how many members have none. */
export async function secondFactorPolicy({ db }: Deps, grant: Grant): Promise<SecondFactorPolicy> {
  const { id } = tenantOf(grant)
  const [row] = await db.read.select({ settings: tenants.settings }).from(tenants).where(eq(tenants.id, id))
  return { required: requiresSecondFactor(row?.settings ?? {}), members_without: await countLacking(db.read, id) }
}

/**
 * Requires a second factor of the members of an organization, or ends that.
 * @throws SvcError `second-factor-own-missing` where the person who asks would lock themselves out
 */
export async function setSecondFactorPolicy(deps: Deps, grant: Grant, required: boolean): Promise<SecondFactorPolicy> {
  const { id } = tenantOf(grant)
  const at = isoOf(deps.clock.now())
  await deps.db.inTransaction(async (tx) => {
    if (required && (await lacksSecondFactor(tx, personOf(grant)))) throw new SvcError('second-factor-own-missing')
    await tx.lock(`tenant-settings:${id}`)
    const [row] = await tx.select({ settings: tenants.settings }).from(tenants).where(eq(tenants.id, id))
    const { secondFactor: _, ...settings } = row?.settings ?? {}
    if (requiresSecondFactor(row?.settings ?? {}) === required) return
    await tx
      .update(tenants)
      .set({ settings: required ? { ...settings, secondFactor: 'required' } : settings, updatedAt: at })
      .where(eq(tenants.id, id))
    const { principal: actor } = grant
    const action = 'tenant.second-factor-changed'
    await recordAudit(tx, { tenantId: id, actor, action, targetId: id, detail: { required }, at })
  })
  return secondFactorPolicy(deps, grant)
}
