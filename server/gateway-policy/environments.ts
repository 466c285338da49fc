/** Environments of gateways. */
import { and, asc, eq, inArray, or } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { environments, memberships, projects, securityPolicies, users } from '../../db/tables.gen.ts'
import { environmentsApi, type Environment } from '../../src/api/environments.ts'
import type { Input } from '../../src/api/endpoint.ts'
import { effectiveRole, rolePermissions } from '../../src/api/permissions.ts'
import { noHash } from '../../src/gateway-policy/audit.ts'
import { policyDigest } from '../../src/gateway-policy/digest.ts'
import { firstPolicy } from '../../src/gateway-policy/model.ts'
import { SvcError } from '../../src/errors.ts'
import { slugify } from '../../src/import/slug.ts'
import { actorOf, type Grant, inParts, recordAudit, tenantOf } from '../auth/door.ts'
import { removeFirst, removeInParts } from '../deletion/door.ts'
import { type Page, readPage } from '../kit/door.ts'
import { approvalError, takeApproval, withoutControls, type Asking, type RiskyChange } from './change.ts'
import type { Enforcement, PolicyDeps } from './enforcement.ts'
import { appendAudit, findEnvironment, lockEnvironment, readPolicy, type EnvironmentRow } from './store.ts'

const mostEnvironments = 50

type CreateBody = Input<typeof environmentsApi.create>['body']
type UpdateBody = Input<typeof environmentsApi.update>['body']

async function environmentRecord(
  { enforcement, clock }: PolicyDeps,
  read: Reader,
  row: EnvironmentRow,
): Promise<Environment> {
  const { policy } = await readPolicy(read, row, row.policyVersion)
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    kind: row.kind,
    project_ids: [...row.projectIds],
    hostnames: [...row.hostnames],
    base_paths: [...row.basePaths],
    evidence: row.evidence,
    tier: policy.presets.tier,
    policy_version: row.policyVersion,
    approvals: { required: row.approvalsRequired, approvers_min: row.approversMin },
    enforcers: await enforcement.countsOf(read, row, clock.now()),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}

/** How many active people may approve. */
async function countApprovers(read: Reader, tenantId: string): Promise<number> {
  const rows = await read
    .select({ role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(inTenant(memberships, tenantId, eq(memberships.status, 'active'), eq(users.status, 'active')))
  return rows.filter(({ role }) => rolePermissions[effectiveRole(role)].has('security:approve')).length
}

/** @throws SvcError `approvals-need-people` */
async function assertApprovers(read: Reader, tenantId: string, needed: number): Promise<void> {
  const people = await countApprovers(read, tenantId)
  if (people <= needed) throw new SvcError('approvals-need-people', { needed, people })
}

/**
 * The ids of projects that are named by id or slug, each once.
 * @throws SvcError `project-not-found`
 */
async function projectIdsOf(read: Reader, tenantId: string, refs: readonly string[]): Promise<string[]> {
  const found = new Map<string, string>()
  for (const part of inParts(refs)) {
    const rows = await read
      .select({ id: projects.id, slug: projects.slug })
      .from(projects)
      .where(inTenant(projects, tenantId, or(inArray(projects.id, part), inArray(projects.slug, part))))
    for (const { id, slug } of rows) found.set(id, id).set(slug, id)
  }
  const missing = refs.find((it) => !found.has(it))
  if (missing !== undefined) throw new SvcError('project-not-found', { project: missing })
  return [...new Set(refs.map((it) => found.get(it) ?? it))]
}

async function orTaken<T>(slug: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw new SvcError('environment-slug-taken', { slug })
    throw error
  }
}

const hostsOf = (hosts: readonly string[]): string[] => [...new Set(hosts.map((it) => it.toLowerCase()))]

/** A page of the environments by name. */
export async function listEnvironments(deps: PolicyDeps, grant: Grant, page: Page) {
  const { read } = deps.db
  const mine = inTenant(environments, tenantOf(grant).id)
  const { rows, total } = await readPage(read, environments, {
    where: mine,
    order: [asc(environments.name), asc(environments.id)],
    page,
  })
  const shown = await Promise.all(rows.map((row) => environmentRecord(deps, read, row)))
  return { environments: shown, count: shown.length, total, ...page }
}

/** @throws SvcError `environment-not-found` */
export async function showEnvironment(deps: PolicyDeps, grant: Grant, ref: string): Promise<Environment> {
  const { read } = deps.db
  return environmentRecord(deps, read, await findEnvironment(read, tenantOf(grant).id, ref))
}

/** The slug of a name, with a number behind it where the organization has that slug already. */
async function freeSlug(tx: Transaction, tenantId: string, name: string): Promise<string> {
  const rows = await tx.select({ slug: environments.slug }).from(environments).where(inTenant(environments, tenantId))
  const taken = new Set(rows.map(({ slug }) => slug))
  const wanted = slugify(name)
  let slug = wanted
  for (let n = 2; taken.has(slug); n++) slug = `${wanted}-${n}`
  return slug
}

/**
 * Creates an environment with the first version of its policy.
 * @throws SvcError `environment-slug-taken`, `project-not-found`, `approvals-need-people`, `security-limit-reached`
 */
export async function createEnvironment(deps: PolicyDeps, grant: Grant, body: CreateBody): Promise<Environment> {
  const { id: tenantId } = tenantOf(grant)
  const { principal: actor } = grant
  const at = deps.clock.iso()
  const createdBy = actorOf(grant)
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`environments:${tenantId}`)
    const used = await tx.$count(environments, inTenant(environments, tenantId))
    if (used >= mostEnvironments)
      throw new SvcError('security-limit-reached', { what: 'environments', max: mostEnvironments })
    const approversMin = body.approvals?.approvers_min ?? 1
    const required = body.approvals?.required ?? (await countApprovers(tx, tenantId)) > approversMin
    if (required) await assertApprovers(tx, tenantId, approversMin)
    const slug = body.slug ?? (await freeSlug(tx, tenantId, body.name))
    const row: EnvironmentRow = {
      id: newId(),
      tenantId,
      name: body.name,
      slug,
      kind: body.kind ?? 'other',
      projectIds: await projectIdsOf(tx, tenantId, body.project_ids ?? []),
      hostnames: hostsOf(body.hostnames ?? []),
      basePaths: [...new Set(body.base_paths)],
      evidence: body.evidence ?? 'digest',
      approvalsRequired: required,
      approversMin,
      policyVersion: 1,
      auditCount: 0,
      auditHash: noHash,
      createdBy,
      createdAt: at,
      updatedAt: at,
    }
    await orTaken(slug, () => tx.savepoint((inner) => inner.insert(environments).values(row)))
    const policy = firstPolicy(body.tier)
    const digest = policyDigest(policy)
    const first = {
      environmentId: row.id,
      tenantId,
      version: 1,
      policy,
      digest,
      changes: ['The environment was created.'],
    }
    await tx.insert(securityPolicies).values({ ...first, restoredFrom: null, createdBy, createdAt: at })
    const detail = { name: row.name, slug, kind: row.kind }
    await appendAudit(tx, row, {
      actor: createdBy ?? 'system',
      action: 'environment.created',
      target: 'environment',
      after: { ...detail, approvals: { required, approversMin }, tier: policy.presets.tier },
      policyVersion: 1,
      at,
    })
    await recordAudit(tx, { tenantId, actor, action: 'environment.created', targetId: row.id, detail, at })
    return environmentRecord(deps, tx, row)
  })
}

const detailsOf = (row: EnvironmentRow) => ({
  name: row.name,
  slug: row.slug,
  kind: row.kind,
  projectIds: row.projectIds,
  hostnames: row.hostnames,
  basePaths: row.basePaths,
  evidence: row.evidence,
  approvals: { required: row.approvalsRequired, approversMin: row.approversMin },
})

async function withGiven(tx: Transaction, row: EnvironmentRow, body: UpdateBody): Promise<EnvironmentRow> {
  const { approvals } = body
  return {
    ...row,
    name: body.name ?? row.name,
    slug: body.slug ?? row.slug,
    kind: body.kind ?? row.kind,
    projectIds:
      body.project_ids === undefined ? row.projectIds : await projectIdsOf(tx, row.tenantId, body.project_ids),
    hostnames: body.hostnames === undefined ? row.hostnames : hostsOf(body.hostnames),
    basePaths: body.base_paths === undefined ? row.basePaths : [...new Set(body.base_paths)],
    evidence: body.evidence ?? row.evidence,
    approvalsRequired: approvals?.required ?? row.approvalsRequired,
    approversMin: approvals?.approvers_min ?? row.approversMin,
  }
}

/** Why a change of an environment needs another person. */
function risksOf(row: EnvironmentRow, next: EnvironmentRow): string[] {
  if (!row.approvalsRequired) return []
  if (!next.approvalsRequired) return ['Approvals are switched off.']
  return next.approversMin < row.approversMin ? ['Fewer people approve risky changes.'] : []
}

/**
 * Changes what is given.
 * @throws SvcError `environment-not-found`, `environment-slug-taken`, `project-not-found`, `approvals-need-people`, `approval-required`
 *   and what stops an approval
 */
export async function updateEnvironment(
  deps: PolicyDeps,
  grant: Grant,
  ref: string,
  body: UpdateBody,
): Promise<Environment> {
  const { id: tenantId } = tenantOf(grant)
  const { principal } = grant
  const actor = actorOf(grant) ?? 'system'
  const at = deps.clock.iso()
  const done = await deps.db.inTransaction(async (tx) => {
    const row = await lockEnvironment(tx, tenantId, ref)
    const next = { ...(await withGiven(tx, row, body)), updatedAt: at }
    const grows = next.approvalsRequired && (!row.approvalsRequired || next.approversMin > row.approversMin)
    if (grows) await assertApprovers(tx, tenantId, next.approversMin)
    const risks = risksOf(row, next)
    if (risks.length > 0) {
      const risky: RiskyChange = {
        operation: 'PATCH /environments',
        target: row.id,
        body: withoutControls(body),
        summary: risks,
        risks,
        preview: null,
      }
      const waiting = await takeApproval(deps, tx, row, risky, { actor, asking: body, now: deps.clock.now() })
      if (waiting !== null) return waiting
    }
    const { auditCount: _count, auditHash: _hash, ...set } = next
    const own = and(eq(environments.id, row.id))
    await orTaken(next.slug, () =>
      tx.savepoint((inner) =>
        inner
          .update(environments)
          .set(set)
          .where(inTenant(environments, tenantId, own)),
      ),
    )
    const detail = { name: next.name, slug: next.slug }
    await appendAudit(tx, next, {
      actor,
      action: 'environment.changed',
      target: 'environment',
      before: detailsOf(row),
      after: detailsOf(next),
      policyVersion: row.policyVersion,
      at,
    })
    await recordAudit(tx, { tenantId, actor: principal, action: 'environment.updated', targetId: row.id, detail, at })
    await deps.enforcement.askForRelease(deps, tx, next)
    return environmentRecord(deps, tx, next)
  })
  if ('changeDigest' in done) throw approvalError('approval-required', done)
  return done
}

const dayMs = 24 * 3_600_000

/** @throws SvcError `environment-in-use` where gateways of it reported in the last 24 hours */
async function assertUnused(
  { gatewaysOf }: Enforcement,
  read: Reader,
  row: EnvironmentRow,
  now: number,
): Promise<void> {
  const rows = await gatewaysOf(read, row)
  const seen = rows.filter(({ lastSeenAt }) => lastSeenAt !== null && Date.parse(lastSeenAt) > now - dayMs)
  if (seen.length > 0) throw new SvcError('environment-in-use', { environment: row.name, count: seen.length })
}

/**
 * Deletes an environment; its audit trail is kept.
 * @throws SvcError `environment-not-found`, `environment-in-use`, `approval-required` and what stops an approval
 */
export async function removeEnvironment(deps: PolicyDeps, grant: Grant, ref: string, asking: Asking): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  const at = deps.clock.iso()
  const actor = actorOf(grant) ?? 'system'
  const done = await deps.db.inTransaction(async (tx) => {
    const row = await lockEnvironment(tx, tenantId, ref)
    await assertUnused(deps.enforcement, tx, row, deps.clock.now())
    if (row.approvalsRequired) {
      const sentence = `The environment "${row.name}" is deleted with its policy: its gateways get nothing any more.`
      const risky: RiskyChange = {
        operation: 'DELETE /environments',
        target: row.id,
        body: {},
        summary: [sentence],
        risks: [sentence],
        preview: null,
      }
      const asked = await takeApproval(deps, tx, row, risky, { actor, asking, now: deps.clock.now() })
      if (asked !== null) return asked
    }
    // The head of the audit trail may have moved with the approval.
    const now = await findEnvironment(tx, tenantId, row.id)
    await appendAudit(tx, now, {
      actor,
      action: 'environment.deleted',
      target: 'environment',
      before: detailsOf(now),
      policyVersion: now.policyVersion,
      at,
    })
    await removeFirst(deps, tx, { kind: 'environment', tenantId, id: now.id })
    const detail = { name: now.name, slug: now.slug }
    const { principal } = grant
    await recordAudit(tx, { tenantId, actor: principal, action: 'environment.deleted', targetId: now.id, detail, at })
    return now.id
  })
  if (typeof done !== 'string') throw approvalError('approval-required', done)
  await removeInParts(deps, done)
}
