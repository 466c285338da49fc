import { and, eq } from 'drizzle-orm'
import type { MigrationPlan, MigrationProposal } from '../../src/api/migration-plans.ts'
import { SvcError } from '../../src/errors.ts'
import { ruleKeyOf } from '../../src/migration/rule-key.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { migrationPlans } from '../../db/tables.gen.ts'
import { actorOf, type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { typedSubject } from '../used-types/door.ts'
import { findVersion, type VersionRow } from '../records/door.ts'

interface PairRefs {
  readonly projectId: string
  readonly fromVersionId: string
  readonly toVersionId: string
}

interface Pair {
  readonly tenantId: string
  readonly projectId: string
  readonly from: VersionRow
  readonly to: VersionRow
}

async function findPair(read: Reader, grant: Grant, refs: PairRefs): Promise<Pair> {
  const tenantId = tenantOf(grant).id
  const { project, version: from } = await findVersion(read, tenantId, refs.projectId, refs.fromVersionId)
  const { version: to } = await findVersion(read, tenantId, project.id, refs.toVersionId)
  return { tenantId, projectId: project.id, from, to }
}

const ofPair = ({ projectId, from, to }: Pair, className?: string) =>
  and(
    eq(migrationPlans.projectId, projectId),
    eq(migrationPlans.fromVersionId, from.id),
    eq(migrationPlans.toVersionId, to.id),
    className === undefined ? undefined : eq(migrationPlans.className, className),
  )

type PlanRow = typeof migrationPlans.$inferSelect

const toPlan = ({ projectId, from, to }: Pair, className: string, row: PlanRow | undefined): MigrationPlan => ({
  project_id: projectId,
  from_version_id: from.id,
  to_version_id: to.id,
  class_name: className,
  rules: { ...row?.rules },
  updated_by: row?.updatedBy ?? null,
  updated_at: row?.updatedAt ?? null,
})

// Neither of two versions has it: the name was mistyped.
async function assertClass(deps: Deps, { tenantId, from, to }: Pair, className: string): Promise<void> {
  const subjects = await Promise.all([from, to].map((row) => typedSubject(deps, deps.db.read, row)))
  const known = await deps.analysis.run(tenantId, 'classes', {}, subjects)
  if (!known.includes(className)) throw new SvcError('class-not-found', { class_name: className })
}

/**
 * The rules of a class; none where no one set any.
 * @throws SvcError `project-not-found`, `version-not-found`, `class-not-found` where neither version has it
 */
export async function getPlan(
  deps: Deps,
  grant: Grant,
  refs: PairRefs & { readonly className: string },
): Promise<MigrationPlan> {
  const { read } = deps.db
  const pair = await findPair(read, grant, refs)
  const [row] = await read
    .select()
    .from(migrationPlans)
    .where(inTenant(migrationPlans, pair.tenantId, ofPair(pair, refs.className)))
    .limit(1)
  if (row === undefined) await assertClass(deps, pair, refs.className)
  return toPlan(pair, refs.className, row)
}

/** @throws SvcError `migration-rule-invalid` at the first key or rule that cannot be */
function assertRules(rules: Readonly<Record<string, Readonly<Record<string, unknown>>>>): void {
  const prefix = ruleKeyOf('')
  for (const [key, rule] of Object.entries(rules)) {
    if (!key.startsWith(prefix) || key === prefix)
      throw new SvcError('migration-rule-invalid', {
        key,
        reason: `its key must be "${prefix}" and the name of a property`,
      })
    const { source_property: source } = rule
    if (source !== undefined && source !== key.slice(prefix.length))
      throw new SvcError('migration-rule-invalid', {
        key,
        reason: 'its source_property is not the property of its key',
      })
  }
}

/**
 * Sets the rules of a class; an empty object takes the plan away.
 * @throws SvcError `project-not-found`, `version-not-found`, `class-not-found`, `migration-rule-invalid`
 */
export async function putPlan(
  deps: Deps,
  grant: Grant,
  body: {
    readonly project_id: string
    readonly from_version_id: string
    readonly to_version_id: string
    readonly class_name: string
    readonly rules: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  },
): Promise<MigrationPlan> {
  assertRules(body.rules)
  const refs = { projectId: body.project_id, fromVersionId: body.from_version_id, toVersionId: body.to_version_id }
  const pair = await findPair(deps.db.read, grant, refs)
  const { class_name: className, rules } = body
  await assertClass(deps, pair, className)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`migration-plan ${pair.projectId}`)
    if (Object.keys(rules).length === 0) {
      await tx.delete(migrationPlans).where(inTenant(migrationPlans, pair.tenantId, ofPair(pair, className)))
      return toPlan(pair, className, undefined)
    }
    const [updated] = await tx
      .update(migrationPlans)
      .set({ rules, updatedBy: actorOf(grant), updatedAt: at })
      .where(inTenant(migrationPlans, pair.tenantId, ofPair(pair, className)))
      .returning()
    if (updated) return toPlan(pair, className, updated)
    const [row] = await tx
      .insert(migrationPlans)
      .values({
        id: newId(),
        tenantId: pair.tenantId,
        projectId: pair.projectId,
        fromVersionId: pair.from.id,
        toVersionId: pair.to.id,
        className,
        rules,
        updatedBy: actorOf(grant),
        createdAt: at,
        updatedAt: at,
      })
      .returning()
    return toPlan(pair, className, row)
  })
}

/**
 * How many rules each class has.
 * @throws SvcError `project-not-found`, `version-not-found`
 */
export async function countRules(
  deps: Deps,
  grant: Grant,
  refs: PairRefs,
): Promise<{ counts: Record<string, number> }> {
  const { read } = deps.db
  const pair = await findPair(read, grant, refs)
  const rows = await read
    .select()
    .from(migrationPlans)
    .where(inTenant(migrationPlans, pair.tenantId, ofPair(pair)))
  const counts = rows.map((row): [string, number] => [row.className, Object.keys(row.rules).length])
  return { counts: Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/**
 * The rules that the two versions suggest.
 * @throws SvcError `project-not-found`, `version-not-found`
 */
export async function proposeRules(
  deps: Deps,
  grant: Grant,
  refs: PairRefs & { readonly className?: string },
): Promise<{ proposals: Record<string, MigrationProposal[]> }> {
  const { read } = deps.db
  const pair = await findPair(read, grant, refs)
  const subjects = await Promise.all([pair.from, pair.to].map((row) => typedSubject(deps, deps.db.read, row)))
  const found = await deps.analysis.run(pair.tenantId, 'migrations', {}, subjects)
  const rows = await read
    .select()
    .from(migrationPlans)
    .where(inTenant(migrationPlans, pair.tenantId, ofPair(pair)))
  const accepted = new Set(rows.flatMap((row) => Object.keys(row.rules).map((key) => `${row.className} ${key}`)))
  const wanted = found.filter(([name]) => refs.className === undefined || name === refs.className)
  return {
    proposals: Object.fromEntries(
      wanted.map(([name, proposals]) => [
        name,
        proposals.map(({ key, rule, reason, confidence }) => ({
          key,
          rule: { ...rule, target_properties: [...rule.target_properties] },
          reason,
          confidence,
          accepted: accepted.has(`${name} ${key}`),
        })),
      ]),
    ),
  }
}
