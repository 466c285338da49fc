import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { agentKeys, apiKeys, mcpKeys, memberships, scimTokens } from '../../db/tables.gen.ts'
import type { MemberRecord } from '../../src/api/members.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, localTenantSlug, personOf, recordAudit, tenantOf } from '../auth/door.ts'
import { removeFirst, removeInParts } from '../deletion/door.ts'
import type { Deps } from '../kit/door.ts'
import { findMember } from '../members/door.ts'

/**
 * Deletes a tenant with everything in it. What the audit trail says of it stays.
 * @throws SvcError `tenant-protected` for the tenant of the workspace itself
 */
export async function deleteTenant(deps: Deps, grant: Grant): Promise<void> {
  const { id, slug, name } = tenantOf(grant)
  if (slug === localTenantSlug) throw new SvcError('tenant-protected', { tenant: slug })
  await deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${id}`)
    // Credentials end at once, whatever is left for later.
    for (const table of [memberships, apiKeys, agentKeys, mcpKeys, scimTokens])
      await tx.delete(table).where(inTenant(table, id))
    await removeFirst(deps, tx, { kind: 'tenant', tenantId: id, id })
    const { principal: actor } = grant
    const detail = { slug, name }
    await recordAudit(tx, { tenantId: id, actor, action: 'tenant.deleted', targetId: id, detail, at: deps.clock.iso() })
    tx.afterCommit(deps.changed)
  })
  await removeInParts(deps, id)
}

/**
 * Makes another active member Owner; the Owner who gives it away becomes Admin.
 * @throws SvcError `member-not-found`, `transfer-invalid`
 */
export async function transferOwnership(
  deps: Deps,
  grant: Grant,
  userId: string,
): Promise<{ owner: MemberRecord; previous: MemberRecord }> {
  const { id: tenantId } = tenantOf(grant)
  const giver = personOf(grant)
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const owner = await findMember(tx, tenantId, userId)
    const previous = await findMember(tx, tenantId, giver)
    // Someone may have taken it from the giver since the request was let in.
    if (previous.role !== 'owner') throw new SvcError('permission-denied', { permission: 'tenant:transfer' })
    if (userId === giver) throw new SvcError('transfer-invalid', { reason: 'you are an Owner already' })
    if (owner.status !== 'active') throw new SvcError('transfer-invalid', { reason: `the member is ${owner.status}` })
    for (const [member, role] of [
      [userId, 'owner'],
      [giver, 'admin'],
    ] as const)
      await tx
        .update(memberships)
        .set({ role, managed: false })
        .where(inTenant(memberships, tenantId, eq(memberships.userId, member)))
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'tenant.ownership-transferred',
      targetId: userId,
      detail: { from: previous.email, to: owner.email },
      at: deps.clock.iso(),
    })
    return {
      owner: { ...owner, role: 'owner', managed: false },
      previous: { ...previous, role: 'admin', managed: false },
    }
  })
}
