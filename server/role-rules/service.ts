import { count, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { newId } from '../../db/id.ts'
import { roleRules, scimGroups, scimUsers } from '../../db/tables.gen.ts'
import type { Role } from '../../src/api/permissions.ts'
import { groupsClaim, type RoleRule, type RoleSources, type RoleTrial, scimSource } from '../../src/api/role-rules.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, personOf, recordAudit, tenantOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { settleDirectory } from './directory.ts'
import { countMatches, fileRulesOf, forgetRule, type RuleDeps, rulesOf } from './apply.ts'
import { type Claims, highestRole, judge, ruleText } from './evaluate.ts'

type ServiceDeps = Deps & RuleDeps
type RuleRow = typeof roleRules.$inferSelect

const maxRules = 500

const invalid = (reason: string): SvcError => new SvcError('role-rule-invalid', { reason })

const recordOf = (row: RuleRow, members: number): RoleRule => ({
  id: row.id,
  issuer: row.issuer,
  claim: row.claim,
  value: row.value,
  role: row.role,
  members,
  created_by: row.createdBy,
  created_at: row.createdAt,
})

/** A page of the rules of an organization, newest first. */
export async function listRules(deps: ServiceDeps, grant: Grant, page: StablePage) {
  const { id: tenantId } = tenantOf(grant)
  const { rows, page: counts } = await readStablePage(deps.db.read, roleRules, {
    where: inTenant(roleRules, tenantId),
    order: [roleRules.createdAt, roleRules.id],
    page,
    added: roleRules.createdAt,
    now: deps.clock.iso(),
  })
  const matches = await countMatches(deps.db.read, tenantId)
  return { items: rows.map((row) => recordOf(row, matches.get(row.id) ?? 0)), ...counts }
}

/** The source that a rule or a trial means: the configured provider, the directory. @throws SvcError `role-rule-invalid` */
function sourceOf({ rules }: RuleDeps, named: string | undefined): string {
  if (named === scimSource) return scimSource
  const { issuer } = rules
  if (issuer === null)
    throw invalid('people do not sign in at an identity provider here (SVC_OIDC_ISSUER); only "scim" gives roles')
  if (named !== undefined && named !== issuer)
    throw invalid(`people sign in at ${issuer}, and a rule of another issuer would never be applied`)
  return issuer
}

interface NewRule {
  readonly value: string
  readonly role: Role
  readonly claim?: string | undefined
  readonly issuer?: string | undefined
  readonly allow_owner?: boolean | undefined
}

function assertSound(deps: RuleDeps, grant: Grant, { role, value, allow_owner }: NewRule, issuer: string): void {
  if (issuer !== scimSource && deps.rules.isFileOnly)
    throw invalid('the operator of the service writes the rules for claims here (SVC_OIDC_RULES)')
  // Who signs in may be of any organization: one must not make members of all of them.
  if (issuer !== scimSource && !/[^*?]/.test(value))
    throw invalid('a value of wildcards alone takes everybody who signs in; the operator can write such a rule')
  if (role !== 'owner') return
  if (grant.role !== 'owner') throw new SvcError('owner-required')
  if (allow_owner !== true)
    throw invalid(
      'whoever manages the group could then delete the organization; confirm it with allow_owner (--allow-owner)',
    )
}

/**
 * Adds a rule. It holds from the next sign-in of a person on; one for the directory at once.
 * @throws SvcError `role-rule-invalid`, `role-rule-taken`, `owner-required`
 */
export async function createRule(deps: ServiceDeps, grant: Grant, given: NewRule): Promise<RoleRule> {
  const { id: tenantId } = tenantOf(grant)
  const issuer = sourceOf(deps, given.issuer)
  assertSound(deps, grant, given, issuer)
  const row: RuleRow = {
    id: newId(),
    tenantId,
    issuer,
    claim: given.claim ?? groupsClaim,
    value: given.value,
    role: given.role,
    createdBy: personOf(grant),
    createdAt: deps.clock.iso(),
  }
  await deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const known = await tx.select().from(roleRules).where(inTenant(roleRules, tenantId))
    if (known.some((it) => it.issuer === issuer && it.claim === row.claim && it.value === row.value))
      throw new SvcError('role-rule-taken', { claim: row.claim, value: row.value })
    if (known.length >= maxRules) throw invalid(`the organization has ${maxRules} rules; remove one first`)
    await tx.insert(roleRules).values(row)
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'role-rule.created',
      targetId: row.id,
      detail: { issuer, claim: row.claim, value: row.value, role: row.role },
      at: row.createdAt,
    })
    if (issuer === scimSource) await settleDirectory(tx, deps, tenantId, null)
  })
  const matches = await countMatches(deps.db.read, tenantId)
  return recordOf(row, matches.get(row.id) ?? 0)
}

/**
 * Removes a rule, and the memberships that nothing else gives.
 * @throws SvcError `role-rule-not-found`, `owner-required`
 */
export async function removeRule(deps: ServiceDeps, grant: Grant, id: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const own = inTenant(roleRules, tenantId, eq(roleRules.id, id))
    const [row] = await tx.select().from(roleRules).where(own)
    if (row === undefined) throw new SvcError('role-rule-not-found', { rule: id })
    if (row.role === 'owner' && grant.role !== 'owner') throw new SvcError('owner-required')
    await tx.delete(roleRules).where(own)
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'role-rule.removed',
      targetId: id,
      detail: { issuer: row.issuer, claim: row.claim, value: row.value, role: row.role },
      at: deps.clock.iso(),
    })
    const why = `the rule was removed: ${ruleText(row, row.issuer)}`
    await forgetRule(tx, deps, { tenantId, key: id, why, source: row.issuer })
  })
}

/** What the rules of the organization make of claims; nothing is changed. */
export async function tryClaims(
  deps: ServiceDeps,
  grant: Grant,
  given: { readonly claims: Claims; readonly issuer?: string | undefined },
): Promise<RoleTrial> {
  const issuer = sourceOf(deps, given.issuer)
  const rules = await rulesOf(deps.db.read, deps, issuer, tenantOf(grant).id)
  const results = rules.map((rule) => ({
    id: rule.key.startsWith('file:') ? null : rule.key,
    claim: rule.claim,
    value: rule.value,
    role: rule.role,
    ...judge(rule, given.claims),
  }))
  return {
    issuer,
    role: highestRole(results.filter((it) => it.verdict === 'fits').map((it) => it.role)),
    undecided: results.some((it) => it.verdict === 'undecided'),
    rules: results,
  }
}

/** Where the roles of an organization come from, besides its own rules. */
export async function sourcesOf(deps: ServiceDeps, grant: Grant): Promise<RoleSources> {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const { issuer, isFileOnly } = deps.rules
  const sources = issuer === null ? [scimSource] : [issuer, scimSource]
  const filed = await Promise.all(
    sources.map(async (source) =>
      (await fileRulesOf(read, deps, source))
        .filter((it) => it.tenantId === tenantId)
        .map(({ claim, value, role }) => ({ issuer: source, claim, value, role })),
    ),
  )
  const [users] = await read.select({ count: count() }).from(scimUsers).where(inTenant(scimUsers, tenantId))
  const [groups] = await read.select({ count: count() }).from(scimGroups).where(inTenant(scimGroups, tenantId))
  return {
    issuer,
    operator_only: isFileOnly,
    operator_rules: filed.flat(),
    directory: { url: `${deps.publicUrl()}/scim/v2`, users: users?.count ?? 0, groups: groups?.count ?? 0 },
  }
}
