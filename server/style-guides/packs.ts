import { eq, max } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { newId } from '../../db/id.ts'
import { policyPacks } from '../../db/tables.gen.ts'
import type { PolicyPack } from '../../src/api/style-guide-shapes.ts'
import { digestValue } from '../../src/document/serialize.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { audit, lockGuides } from './audit.ts'
import { findGuide, idOf, lintGuideOf, nameOf, policyOf, rulesOf } from './store.ts'

type PackRow = typeof policyPacks.$inferSelect
type Snapshot = Pick<PolicyPack, 'name' | 'description' | 'rules' | 'customRulesYaml' | 'policy'>

const headOf = (row: Omit<PackRow, 'snapshot'>) => ({
  id: row.id,
  guideId: row.guideId,
  version: row.version,
  digest: row.digest,
  rulesOn: row.rulesOn,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
})
const packOf = (row: PackRow): PolicyPack => ({ ...headOf(row), ...(row.snapshot as Snapshot) })

/**
 * The packs of a guide, newest first; a deleted guide's are found by its id.
 * @throws SvcError `style-guide-not-found`
 */
export async function listPacks(deps: Deps, grant: Grant, ref: string, page: StablePage) {
  const { id: tenantId } = tenantOf(grant)
  const guideId = idOf(await findGuide(deps.db.read, tenantId, ref))
  const where = inTenant(policyPacks, tenantId, eq(policyPacks.guideId, guideId))
  const { rows, page: counts } = await readStablePage(deps.db.read, policyPacks, {
    where,
    order: [policyPacks.version],
    page,
    added: policyPacks.createdAt,
    now: deps.clock.iso(),
  })
  return { items: rows.map(headOf), ...counts }
}

/**
 * Keeps a guide as it is now.
 * @throws SvcError `style-guide-not-found`
 */
export async function createPack(deps: Deps, grant: Grant, ref: string): Promise<PolicyPack> {
  const { id: tenantId } = tenantOf(grant)
  const by = grant.principal?.kind === 'user' ? grant.principal.userId : null
  const before = await findGuide(deps.db.read, tenantId, ref)
  const list = await rulesOf(deps, before)
  const made = await deps.db.inTransaction(async (tx) => {
    await lockGuides(tx, tenantId)
    const guide = await findGuide(tx, tenantId, ref)
    if (lintGuideOf(guide).digest !== lintGuideOf(before).digest) return null
    const snapshot: Snapshot = {
      name: nameOf(guide),
      description: guide.row?.description ?? guide.builtin?.description ?? '',
      rules: [...list],
      customRulesYaml: guide.row?.customRules ?? '',
      policy: policyOf(guide),
    }
    const [last] = await tx
      .select({ version: max(policyPacks.version) })
      .from(policyPacks)
      .where(inTenant(policyPacks, tenantId, eq(policyPacks.guideId, idOf(guide))))
    const row: PackRow = {
      id: newId(),
      tenantId,
      guideId: idOf(guide),
      version: (last?.version ?? 0) + 1,
      digest: digestValue(snapshot),
      rulesOn: list.filter((it) => it.enabled).length,
      snapshot,
      createdBy: by,
      createdAt: deps.clock.iso(),
    }
    await tx.insert(policyPacks).values(row)
    const detail = { name: snapshot.name, version: row.version, digest: row.digest }
    await audit({ deps, grant }, tx, 'style-guide.pack-created', row.guideId, detail)
    return packOf(row)
  })
  // Someone changed the rules between the question and the write.
  return made ?? createPack(deps, grant, ref)
}

/**
 * One pack.
 * @throws SvcError `style-guide-not-found`, `policy-version-not-found`
 */
export async function getPack(deps: Deps, grant: Grant, ref: string, packId: string): Promise<PolicyPack> {
  const { id: tenantId } = tenantOf(grant)
  const guide = await findGuide(deps.db.read, tenantId, ref)
  const [row] = await deps.db.read
    .select()
    .from(policyPacks)
    .where(inTenant(policyPacks, tenantId, eq(policyPacks.guideId, idOf(guide)), eq(policyPacks.id, packId)))
  if (row === undefined)
    throw new SvcError('policy-version-not-found', { policy_version: packId, guide: nameOf(guide) })
  return packOf(row)
}
