/** Whether the Editors of an organization edit only the projects that are theirs. */
import { eq } from 'drizzle-orm'
import { tenants } from '../../db/tables.gen.ts'
import type { EditingPolicy } from '../../src/api/tenants.ts'
import { editorsEditOwn, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'

/** Whether the Editors of the organization edit only what is theirs. */
export async function editingPolicy({ db }: Deps, grant: Grant): Promise<EditingPolicy> {
  const [row] = await db.read
    .select({ settings: tenants.settings })
    .from(tenants)
    .where(eq(tenants.id, tenantOf(grant).id))
  return { editors_edit_own: editorsEditOwn(row?.settings ?? {}) }
}

/** Lets the Editors of an organization edit only what is theirs, or everything; it holds from the next request on. */
export async function setEditingPolicy(deps: Deps, grant: Grant, policy: EditingPolicy): Promise<EditingPolicy> {
  const { id } = tenantOf(grant)
  const at = deps.clock.iso()
  await deps.db.inTransaction(async (tx) => {
    await tx.lock(`tenant-settings:${id}`)
    const [row] = await tx.select({ settings: tenants.settings }).from(tenants).where(eq(tenants.id, id))
    const before = row?.settings ?? {}
    if (editorsEditOwn(before) === policy.editors_edit_own) return
    const { editorsEditOwn: _, ...others } = before
    const settings = policy.editors_edit_own ? { ...others, editorsEditOwn: true } : others
    await tx.update(tenants).set({ settings, updatedAt: at }).where(eq(tenants.id, id))
    const action = 'tenant.editing-changed'
    await recordAudit(tx, { tenantId: id, actor: grant.principal, action, targetId: id, detail: { ...policy }, at })
  })
  return policy
}
