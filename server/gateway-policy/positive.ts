/** Positive security: what the published document of a project allows, and nothing else. */
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects } from '../../db/tables.gen.ts'
import type { PositiveUpdate, SecurityNarrowing } from '../../src/api/gateway-positive.ts'
import {
  positiveChecks,
  positiveModeOf,
  type Policy,
  type Positive,
  type PositiveCheck,
  type PositiveMode,
} from '../../src/gateway-policy/model.ts'
import { SvcError } from '../../src/errors.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { findProject, type VersionRow } from '../records/door.ts'
import { boundAmong, boundVersion, versionsOf } from './bound.ts'
import { changePolicy, withoutControls, type Controls } from './change.ts'
import type { PolicyDeps } from './enforcement.ts'
import { narrowingOf } from './narrowing.ts'
import { findEnvironment, readPolicy } from './store.ts'

/** What the checks of a new binding do once the binding blocks: those that refuse what no client may rely on. */
const firstChecks: Readonly<Record<PositiveCheck, PositiveMode>> = {
  unknownOperation: 'block',
  method: 'block',
  parameters: 'block',
  undeclaredQuery: 'log',
  contentType: 'block',
  body: 'block',
  security: 'log',
}

/** A binding as a client sends it. */
export type GivenPositive = Omit<PositiveUpdate, keyof Controls | 'reason'>

export const isComparable = ({ format }: VersionRow): boolean => format.kind === 'openapi' || format.kind === 'swagger'

/** Why a version cannot be compared with requests; null: it can. */
export function unusableReason(version: string, all: readonly VersionRow[]): string | null {
  const found = boundAmong(version, all)
  if (found !== null)
    return isComparable(found) ? null : `${found.label} is ${found.format.kind}, and only OpenAPI describes requests`
  if (version === 'latest' || version === 'production') return 'no version of the project is published'
  const named = all.find(({ label }) => label === version)
  if (named !== undefined) return `it is ${named.status === 'draft' ? 'a draft' : named.status}`
  const near = suggest(version, [...all.map(({ label }) => label), 'latest', 'production'])
  return `the project has no such version${near === null ? '' : `, but ${near}`}`
}

/** A prefix without the slash at its end; null where nothing is left. */
const prefixOf = (text: string): string | null => text.replace(/\/+$/, '') || null

/**
 * The binding with what is given; what is left out keeps its value.
 * @throws SvcError `project-not-found`, `positive-unbound`, `positive-version-unusable`
 */
export async function withPositive(
  read: Reader,
  tenantId: string,
  was: Positive | null,
  given: GivenPositive,
): Promise<Positive> {
  const ref = given.projectId ?? was?.projectId
  if (ref === undefined) throw new SvcError('positive-unbound')
  const project = await findProject(read, tenantId, ref)
  const isSameProject = was?.projectId === project.id
  const version = given.version ?? (isSameProject ? was.version : 'latest')
  const mode = given.mode ?? was?.mode ?? 'log'
  const reason = unusableReason(version, await versionsOf(read, tenantId, project.id))
  // What compares nothing needs no document, so that it can always be switched off.
  if (reason !== null && mode !== 'off')
    throw new SvcError('positive-version-unusable', { version, project: project.slug, reason })
  const prefix = given.stripPrefix === undefined ? (was?.stripPrefix ?? null) : given.stripPrefix
  return {
    projectId: project.id,
    version,
    mode,
    checks: { ...firstChecks, ...was?.checks, ...given.checks },
    stripPrefix: prefix === null ? null : prefixOf(prefix),
  }
}

/** What narrows requests where a policy is bound to another document; null where nothing was or is compared. */
export async function narrowingBetween(
  deps: Deps,
  read: Reader,
  tenantId: string,
  [before, after]: readonly [Policy, Policy],
): Promise<SecurityNarrowing | null> {
  const [from, to] = [
    await boundVersion(read, tenantId, before.positive),
    await boundVersion(read, tenantId, after.positive),
  ]
  if (from === null || to === null || from.id === to.id || !isComparable(from) || !isComparable(to)) return null
  return narrowingOf(deps, read, from, to)
}

/** A binding with what its checks come to, and the version that it means now. */
async function positiveRecord(read: Reader, tenantId: string, positive: Positive | null) {
  if (positive === null) return { positive: null, effective: null, projectSlug: null, bound: null, problem: null }
  const all = await versionsOf(read, tenantId, positive.projectId)
  const bound = boundAmong(positive.version, all)
  const [project] = await read
    .select({ slug: projects.slug })
    .from(projects)
    .where(inTenant(projects, tenantId, eq(projects.id, positive.projectId)))
  return {
    positive,
    projectSlug: project?.slug ?? null,
    effective: Object.fromEntries(positiveChecks.map((it) => [it, positiveModeOf(positive, it)])) as Record<
      PositiveCheck,
      PositiveMode
    >,
    bound:
      bound === null
        ? null
        : {
            versionId: bound.id,
            label: bound.label,
            status: bound.status,
            digest: bound.digest,
            operations: bound.operationsCount,
            publishedAt: bound.publishedAt,
          },
    problem: unusableReason(positive.version, all),
  }
}

/**
 * What requests are compared with.
 * @throws SvcError `environment-not-found`
 */
export async function showPositive(deps: Deps, grant: Grant, ref: string) {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const { policy } = await readPolicy(read, row, row.policyVersion)
  return { policyVersion: row.policyVersion, ...(await positiveRecord(read, row.tenantId, policy.positive)) }
}

/**
 * Binds the policy to a version, or changes what its checks do.
 * @throws SvcError `project-not-found`, `positive-unbound`, `positive-version-unusable`, and what `changePolicy` throws
 */
export async function setPositive(deps: PolicyDeps, grant: Grant, ref: string, given: PositiveUpdate) {
  const { id: tenantId } = tenantOf(grant)
  const { reason, ...body } = withoutControls(given)
  const { read } = deps.db
  let before: Policy | null = null
  const { policy, row, result } = await changePolicy(
    deps,
    grant,
    ref,
    {
      operation: 'PUT /security/positive',
      target: null,
      body: withoutControls(given),
      action: 'positive.set',
      auditTarget: 'positive',
      reason: reason ?? null,
      edit: async (policy) => {
        before = policy
        return { ...policy, positive: await withPositive(read, tenantId, policy.positive, body) }
      },
      audited: ({ positive }) => positive,
    },
    given,
  )
  const narrowing = before === null ? null : await narrowingBetween(deps, read, row.tenantId, [before, policy])
  return { ...(await positiveRecord(read, row.tenantId, policy.positive)), narrowing, ...result }
}
