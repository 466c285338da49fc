import { asc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { styleGuides } from '../../db/tables.gen.ts'
import type { RuleSetting } from '../../db/tables/style-guides.ts'
import type { CustomRules, PolicySettings, StyleGuideOut, StyleGuideRule } from '../../src/api/style-guide-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import { putInBin } from '../bin/door.ts'
import { removeFirst } from '../deletion/door.ts'
import { assertNotEmpty, builtinGuides, everyRule, recommendedGuide, settingsLike } from '../guide-rules/door.ts'
import type { Deps } from '../kit/door.ts'
import { audit, lockGuides, type Audited } from './audit.ts'
import { assertReviewRules } from './review-rules.ts'
import { changedPolicy, type PolicyChange } from './policy.ts'
import { followGuide } from './relint.ts'
import {
  countAssignments,
  defaultIdOf,
  findGuide,
  findOwnGuide,
  idOf,
  policyOf,
  rulesOf,
  toStyleGuideOut,
  type FoundGuide,
  type GuideRow,
} from './store.ts'

interface Page {
  readonly limit: number
  readonly offset: number
}

async function factsOf(deps: Deps, tenantId: string) {
  const { read } = deps.db
  return { defaultId: await defaultIdOf(read, tenantId), assignments: await countAssignments(read, tenantId) }
}

async function show(deps: Deps, tenantId: string, id: string): Promise<StyleGuideOut> {
  return toStyleGuideOut(deps, await findGuide(deps.db.read, tenantId, id), await factsOf(deps, tenantId))
}

/** The guides of a tenant: the default first, then the builtin ones, then its own by name. */
export async function listGuides(deps: Deps, grant: Grant, page: Page) {
  const { id: tenantId } = tenantOf(grant)
  const rows = await deps.db.read
    .select()
    .from(styleGuides)
    .where(inTenant(styleGuides, tenantId))
    .orderBy(asc(styleGuides.name), asc(styleGuides.id))
  const facts = await factsOf(deps, tenantId)
  const all: FoundGuide[] = [
    ...builtinGuides.map((builtin) => ({ builtin, row: null })),
    ...rows.map((row) => ({ builtin: null, row })),
  ]
  const sorted = [
    ...all.filter((it) => idOf(it) === facts.defaultId),
    ...all.filter((it) => idOf(it) !== facts.defaultId),
  ]
  const items = await Promise.all(
    sorted.slice(page.offset, page.offset + page.limit).map((it) => toStyleGuideOut(deps, it, facts)),
  )
  return { items, total: all.length, ...page }
}

/**
 * One guide.
 * @throws SvcError `style-guide-not-found`
 */
export const getGuide = (deps: Deps, grant: Grant, ref: string): Promise<StyleGuideOut> =>
  show(deps, tenantOf(grant).id, ref)

async function named<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw new SvcError('style-guide-name-taken', { name })
    throw error
  }
}

/**
 * Makes a guide.
 * @throws SvcError `style-guide-not-found` for a source that is not there, `style-guide-name-taken`
 */
export async function createGuide(
  deps: Deps,
  grant: Grant,
  given: { readonly name: string; readonly description?: string; readonly sourceGuideId?: string | null },
): Promise<StyleGuideOut> {
  const { id: tenantId } = tenantOf(grant)
  const name = given.name.trim()
  // The names of the builtin guides stay theirs.
  if (name === '' || builtinGuides.some((it) => it.name === name))
    throw new SvcError('style-guide-name-taken', { name })
  const ref = given.sourceGuideId ?? null
  const source = ref === null || ref === '' ? null : await findGuide(deps.db.read, tenantId, ref)
  const at = deps.clock.iso()
  const row: GuideRow = {
    id: newId(),
    tenantId,
    name,
    description: given.description ?? '',
    sourceGuideId: source === null ? null : idOf(source),
    settings: source === null ? {} : (source.row?.settings ?? settingsLike(await rulesOf(deps, source))),
    customRules: source?.row?.customRules ?? '',
    customRulesAt: source?.row ? at : null,
    policy: {},
    policyAt: null,
    createdAt: at,
    updatedAt: at,
  }
  await named(name, () =>
    deps.db.inTransaction(async (tx) => {
      await tx.insert(styleGuides).values(row)
      await audit({ deps, grant }, tx, 'style-guide.created', row.id, { name, sourceGuideId: row.sourceGuideId })
    }),
  )
  return show(deps, tenantId, row.id)
}

/**
 * Writes to a guide of the tenant under its lock.
 * @throws SvcError `style-guide-not-found`, `style-guide-read-only`
 */
async function change(
  by: Audited,
  ref: string,
  action: AuditAction,
  /** Whether it decides what lint finds. */
  decides: 'grades' | 'nothing',
  write: (row: GuideRow) => Promise<{ set: Partial<GuideRow>; detail: Readonly<Record<string, unknown>> }>,
): Promise<GuideRow> {
  const { deps, grant } = by
  const { id: tenantId } = tenantOf(grant)
  return deps.db.inTransaction(async (tx) => {
    await lockGuides(tx, tenantId)
    const row = await findOwnGuide(tx, tenantId, ref)
    const { set, detail } = await write(row)
    const after = { ...row, ...set, updatedAt: deps.clock.iso() }
    await tx
      .update(styleGuides)
      .set(after)
      .where(inTenant(styleGuides, tenantId, eq(styleGuides.id, row.id)))
    await audit(by, tx, action, row.id, { name: after.name, ...detail })
    if (decides === 'grades') await followGuide(deps, tx, tenantId, { guideId: row.id })
    return after
  })
}

/**
 * Renames or describes a guide.
 * @throws SvcError `style-guide-not-found`, `style-guide-read-only`, `style-guide-name-taken`
 */
export async function updateGuide(
  deps: Deps,
  grant: Grant,
  ref: string,
  given: { readonly name?: string; readonly description?: string },
): Promise<StyleGuideOut> {
  const name = given.name?.trim()
  if (name !== undefined && (name === '' || builtinGuides.some((it) => it.name === name)))
    throw new SvcError('style-guide-name-taken', { name })
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(given.description === undefined ? {} : { description: given.description }),
  }
  const row = await named(name ?? '', () =>
    change({ deps, grant }, ref, 'style-guide.updated', 'nothing', async (before) => ({
      set,
      detail: { before: before.name },
    })),
  )
  return show(deps, tenantOf(grant).id, row.id)
}

/**
 * Deletes a guide with its assignments; where it was the default, the builtin guide is the default again. Its policy
 * packs stay. It can be restored from the bin.
 * @throws SvcError `style-guide-not-found`, `style-guide-read-only`
 */
export async function removeGuide(deps: Deps, grant: Grant, ref: string): Promise<Record<string, string>> {
  const { id: tenantId } = tenantOf(grant)
  return deps.db.inTransaction(async (tx) => {
    await lockGuides(tx, tenantId)
    const row = await findOwnGuide(tx, tenantId, ref)
    const wasDefault = (await defaultIdOf(tx, tenantId)) === row.id
    const isApplied = wasDefault || ((await countAssignments(tx, tenantId)).get(row.id) ?? 0) > 0
    await putInBin(deps, grant, tx, { kind: 'style-guide', id: row.id, name: row.name, ref: row.name })
    await removeFirst(deps, tx, { kind: 'style-guide', tenantId, id: row.id })
    // The projects that it applied to are linted under the default now.
    if (isApplied) await followGuide(deps, tx, tenantId, { guideId: await defaultIdOf(tx, tenantId) })
    await audit({ deps, grant }, tx, 'style-guide.deleted', row.id, { name: row.name, wasDefault })
    return { status: 'deleted', guideId: row.id, ...(wasDefault ? { defaultGuideId: recommendedGuide.id } : {}) }
  })
}

/**
 * Every rule of a guide.
 * @throws SvcError `style-guide-not-found`
 */
export async function listRules(deps: Deps, grant: Grant, ref: string) {
  const list = await rulesOf(deps, await findGuide(deps.db.read, tenantOf(grant).id, ref))
  return { items: [...list], total: list.length }
}

/**
 * Turns a rule on or off, or sets its severity; a null severity is the rule's own again.
 * @throws SvcError `style-guide-not-found`, `style-guide-read-only`, `rule-not-found`
 */
export async function setRule(
  deps: Deps,
  grant: Grant,
  ref: string,
  ruleId: string,
  given: { readonly enabled?: boolean; readonly severity?: StyleGuideRule['severity'] | null },
): Promise<StyleGuideRule> {
  // No one waits in a transaction for rules to be read: one that is replaced meanwhile leaves a setting without an effect.
  const { id: tenantId } = tenantOf(grant)
  const rules = await deps.analysis.rulesOf(tenantId, await findOwnGuide(deps.db.read, tenantId, ref))
  const after = await change({ deps, grant }, ref, 'style-guide.rule-set', 'grades', async (row) => {
    if (!rules.some((it) => it.id === ruleId)) throw new SvcError('rule-not-found', { rule: ruleId, guide: row.name })
    const { severity: kept, ...before } = row.settings[ruleId] ?? {}
    const severity = given.severity === undefined ? kept : (given.severity ?? undefined)
    const setting = {
      ...before,
      ...(given.enabled === undefined ? {} : { enabled: given.enabled }),
      ...(severity === undefined ? {} : { severity }),
    }
    return { set: { settings: { ...row.settings, [ruleId]: setting } }, detail: { rule: ruleId, ...given } }
  })
  return (await deps.analysis.rulesOf(tenantId, after)).find((it) => it.id === ruleId) as StyleGuideRule
}

const customRulesOf = async (deps: Deps, guide: FoundGuide): Promise<CustomRules> => ({
  guideId: idOf(guide),
  yaml: guide.row?.customRules ?? '',
  rules: (await rulesOf(deps, guide)).filter((it) => it.origin === 'custom'),
  updatedAt: guide.row?.customRulesAt ?? null,
})

/**
 * The custom rules of a guide.
 * @throws SvcError `style-guide-not-found`
 */
export const getCustomRules = async (deps: Deps, grant: Grant, ref: string): Promise<CustomRules> =>
  customRulesOf(deps, await findGuide(deps.db.read, tenantOf(grant).id, ref))

/**
 * Replaces the custom rules of a guide; what was set by hand for builtin rules stays.
 * @throws SvcError `style-guide-not-found`, `style-guide-read-only`, `custom-rules-invalid`
 */
export async function putCustomRules(deps: Deps, grant: Grant, ref: string, yaml: string): Promise<CustomRules> {
  const { id: tenantId } = tenantOf(grant)
  await findOwnGuide(deps.db.read, tenantId, ref)
  assertNotEmpty(yaml)
  const rules = await deps.analysis.rulesOf(tenantId, { settings: {}, customRules: yaml })
  const custom = rules.filter((it) => it.origin === 'custom').length
  const row = await change({ deps, grant }, ref, 'style-guide.custom-rules-set', 'grades', async (before) => {
    const settings = Object.fromEntries(
      Object.entries<RuleSetting>(before.settings).filter(([id]) => Object.hasOwn(everyRule, id)),
    )
    return { set: { customRules: yaml, customRulesAt: deps.clock.iso(), settings }, detail: { rules: custom } }
  })
  return customRulesOf(deps, { builtin: null, row })
}

const settingsOf = (guide: FoundGuide): PolicySettings => ({
  guideId: idOf(guide),
  ...policyOf(guide),
  updatedAt: guide.row?.policyAt ?? null,
})

/**
 * The policy of a guide.
 * @throws SvcError `style-guide-not-found`
 */
export const getPolicy = async (deps: Deps, grant: Grant, ref: string): Promise<PolicySettings> =>
  settingsOf(await findGuide(deps.db.read, tenantOf(grant).id, ref))

/**
 * Changes the policy of a guide.
 * @throws SvcError `style-guide-not-found`, `style-guide-read-only`, `review-rule-invalid`, `reviewer-cannot-view`
 */
export async function putPolicy(deps: Deps, grant: Grant, ref: string, given: PolicyChange): Promise<PolicySettings> {
  await assertReviewRules(deps.db.read, tenantOf(grant).id, given.reviewRules ?? [])
  const row = await change({ deps, grant }, ref, 'style-guide.policy-set', 'nothing', async (before) => ({
    set: { policy: changedPolicy(policyOf({ builtin: null, row: before }), given), policyAt: deps.clock.iso() },
    detail: { policy: given },
  }))
  return settingsOf({ builtin: null, row })
}
