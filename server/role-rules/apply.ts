/** Applies rules to a person: what they fit becomes memberships, in one transaction. */
import { and, asc, count, eq, inArray } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant, isThere } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { roleMatches, roleRules, tenants } from '../../db/tables.gen.ts'
import { scimSource } from '../../src/api/role-rules.ts'
import { recordAudit } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { type Claims, judge, type Rule, ruleText } from './evaluate.ts'
import { lastRules } from './file.ts'
import { findMembership, settleMembership } from './settle.ts'

/** Where rules come from, as the operator configured it. */
export interface RuleSettings {
  /** The identity provider that people sign in with; null: none. */
  readonly issuer: string | null
  /** The operator's file of rules; null: none. */
  readonly file: string | null
  /** Organizations write no rules for claims: only the file gives roles for them. */
  readonly isFileOnly: boolean
}

/** What operations on rules work with. */
export interface RuleDeps extends Pick<Deps, 'db' | 'clock' | 'plans'> {
  readonly rules: RuleSettings
}

/** A rule with the organization that it is of. */
export interface OwnedRule extends Rule {
  readonly tenantId: string
}

/** The person whom rules are applied to. */
export interface RuledPerson {
  readonly id: string
  readonly email: string
}

/** The rules of the operator's file for an issuer, of every organization that exists. */
export async function fileRulesOf(reader: Reader, { rules }: RuleDeps, issuer: string): Promise<OwnedRule[]> {
  const all = rules.file === null ? [] : lastRules(rules.file, rules.issuer)
  const own = all.filter((it) => it.issuer === issuer)
  const slugs = [...new Set(own.map((it) => it.organization))]
  const rows =
    slugs.length === 0
      ? []
      : await reader
          .select({ id: tenants.id, slug: tenants.slug })
          .from(tenants)
          .where(and(inArray(tenants.slug, slugs), isThere(tenants.id)))
  const idOf = new Map(rows.map(({ id, slug }) => [slug, id]))
  return own.flatMap(({ organization, key, claim, value, role }) => {
    const tenantId = idOf.get(organization)
    return tenantId === undefined ? [] : [{ tenantId, key, claim, value, role }]
  })
}

/**
 * The rules of an issuer: of one organization, or of all.
 */
export async function rulesOf(
  reader: Reader,
  deps: RuleDeps,
  issuer: string,
  tenantId: string | null = null,
): Promise<OwnedRule[]> {
  const isTaken = issuer === scimSource || !deps.rules.isFileOnly
  const ofIssuer = and(eq(roleRules.issuer, issuer), isThere(roleRules.tenantId))
  const rows = isTaken
    ? await reader
        .select()
        .from(roleRules)
        .where(tenantId === null ? ofIssuer : inTenant(roleRules, tenantId, ofIssuer))
        .orderBy(asc(roleRules.createdAt), asc(roleRules.id))
    : []
  const filed = await fileRulesOf(reader, deps, issuer)
  return [
    ...rows.map(({ id: key, tenantId: of, claim, value, role }) => ({ tenantId: of, key, claim, value, role })),
    ...filed.filter((it) => tenantId === null || it.tenantId === tenantId),
  ]
}

/** The claims that rules of an issuer look at: where the token has one of them not, the provider is asked for more. */
export const claimsWanted = async (deps: RuleDeps, issuer: string): Promise<readonly string[]> => [
  ...new Set((await rulesOf(deps.db.read, deps, issuer)).map((it) => it.claim)),
]

interface Application {
  readonly person: RuledPerson
  readonly issuer: string
  readonly claims: Claims
  readonly now: number
}

/** Decides the rules of one organization for a person, and keeps which fit; gives why others could not be decided. */
async function decide(
  tx: Transaction,
  tenantId: string,
  rules: readonly OwnedRule[],
  { person, issuer, claims, now }: Application,
): Promise<{ readonly undecided: readonly string[]; readonly had: number }> {
  const own = inTenant(roleMatches, tenantId, eq(roleMatches.userId, person.id), eq(roleMatches.issuer, issuer))
  const before = await tx.select({ key: roleMatches.ruleKey }).from(roleMatches).where(own)
  const verdicts = rules.map((rule) => ({ rule, ...judge(rule, claims) }))
  const kept = verdicts.filter(({ verdict }) => verdict !== 'does-not-fit').map(({ rule }) => rule.key)
  const gone = before.map((it) => it.key).filter((key) => !kept.includes(key))
  if (gone.length > 0) await tx.delete(roleMatches).where(and(own, inArray(roleMatches.ruleKey, gone)))
  for (const { rule, verdict } of verdicts) {
    if (verdict !== 'fits') continue
    const { key: ruleKey, role } = rule
    await tx
      .insert(roleMatches)
      .values({ tenantId, userId: person.id, ruleKey, issuer, role, createdAt: isoOf(now) })
      .onConflictDoUpdate({ target: [roleMatches.tenantId, roleMatches.userId, roleMatches.ruleKey], set: { role } })
  }
  const undecided = verdicts.filter((it) => it.verdict === 'undecided').map((it) => it.reason)
  return { undecided: [...new Set(undecided)], had: before.length }
}

/** Which organizations may change for a person: those with rules of the issuer, and those where one fitted before. */
async function tenantsOf(tx: Transaction, rules: readonly OwnedRule[], { person, issuer }: Application) {
  const before = await tx
    .select({ tenantId: roleMatches.tenantId })
    .from(roleMatches)
    .where(and(eq(roleMatches.userId, person.id), eq(roleMatches.issuer, issuer), isThere(roleMatches.tenantId)))
  return [...new Set([...rules, ...before].map((it) => it.tenantId))].sort()
}

/**
 * Applies every rule of an issuer to a person with these claims. What cannot be decided changes nothing: a claim that is
 * absent may be a mistake of the provider, and must not remove anybody.
 * @param tenantId the one organization that is meant; null: all
 */
export async function applyRulesIn(
  tx: Transaction,
  deps: RuleDeps,
  application: Application,
  tenantId: string | null = null,
): Promise<void> {
  const { person, issuer, now } = application
  const wanted = tenantId === null ? await tenantsOf(tx, await rulesOf(tx, deps, issuer), application) : [tenantId]
  // In one order, so that two people who sign in at once never wait for each other.
  for (const id of wanted) await tx.lock(`members:${id}`)
  const rules = await rulesOf(tx, deps, issuer, tenantId)
  for (const id of wanted) {
    const own = rules.filter((it) => it.tenantId === id)
    const { undecided, had } = await decide(tx, id, own, application)
    const why = own.filter((it) => judge(it, application.claims).verdict === 'fits').map((it) => ruleText(it, issuer))
    await settleMembership(tx, deps, { tenantId: id, person, why, source: issuer, now })
    // Whoever has nothing to lose there is none of the organization's business.
    const concerns = undecided.length > 0 && (had > 0 || (await findMembership(tx, id, person.id)) !== null)
    if (concerns)
      await recordAudit(tx, {
        tenantId: id,
        actor: null,
        action: 'member.rules-undecided',
        targetId: person.id,
        detail: { email: person.email, reason: undecided.join('; '), issuer },
        at: isoOf(now),
      })
  }
}

/**
 * Applies every rule of an issuer to a person who signed in there, in one transaction.
 */
export const applyRules = (
  deps: RuleDeps,
  given: { readonly person: RuledPerson; readonly issuer: string; readonly claims: Claims },
): Promise<void> => deps.db.inTransaction((tx) => applyRulesIn(tx, deps, { ...given, now: deps.clock.now() }))

/** Takes what one rule gave from everybody whom it fitted. @param tx holds the lock of the members */
export async function forgetRule(
  tx: Transaction,
  deps: RuleDeps,
  {
    tenantId,
    key,
    why,
    source,
  }: { readonly tenantId: string; readonly key: string; readonly why: string; readonly source: string },
): Promise<void> {
  const gone = await tx
    .delete(roleMatches)
    .where(inTenant(roleMatches, tenantId, eq(roleMatches.ruleKey, key)))
    .returning({ userId: roleMatches.userId })
  const now = deps.clock.now()
  for (const { userId } of gone)
    await settleMembership(tx, deps, { tenantId, person: { id: userId, email: null }, why: [why], source, now })
}

/** How many people each rule fitted last. */
export async function countMatches(reader: Reader, tenantId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await reader
    .select({ key: roleMatches.ruleKey, n: count() })
    .from(roleMatches)
    .where(inTenant(roleMatches, tenantId))
    .groupBy(roleMatches.ruleKey)
  return new Map(rows.map(({ key, n }) => [key, n]))
}
