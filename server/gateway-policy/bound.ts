/** Which version of a project an environment compares requests with. */
import { and, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import type { VersionStatus } from '../../db/tables/versions.ts'
import { environments, securityPolicies, versions } from '../../db/tables.gen.ts'
import { positiveChecks, positiveModeOf, type Policy, type Positive } from '../../src/gateway-policy/model.ts'
import { latestPublished, type VersionRow } from '../records/door.ts'

interface Ranked {
  readonly label: string
  readonly status: VersionStatus
  readonly createdAt: string
}

// A pre-release of Semantic Versioning 2.0.0, section 9.
const isPreRelease = (label: string): boolean => /^v?\d+(?:\.\d+)*-/.test(label)

/**
 * The version that a binding means among those of the project: a label, "latest" (the greatest published one) or "production" (the
 * greatest published one that is not a pre-release, or the latest). Null where no published version is meant.
 */
export function boundAmong<V extends Ranked>(version: string, all: readonly V[]): V | null {
  if (version === 'latest') return latestPublished(all)
  if (version === 'production')
    return latestPublished(all.filter(({ label }) => !isPreRelease(label))) ?? latestPublished(all)
  const found = all.find(({ label }) => label === version)
  return found !== undefined && (found.status === 'published' || found.status === 'deprecated') ? found : null
}

/** All versions of a project. */
export const versionsOf = async (read: Reader, tenantId: string, projectId: string): Promise<VersionRow[]> =>
  read
    .select()
    .from(versions)
    .where(inTenant(versions, tenantId, eq(versions.projectId, projectId)))

/** The version that a policy is bound to now; null where it is bound to none. */
export async function boundVersion(
  read: Reader,
  tenantId: string,
  positive: Pick<Positive, 'projectId' | 'version'> | null,
): Promise<VersionRow | null> {
  if (positive === null) return null
  return boundAmong(positive.version, await versionsOf(read, tenantId, positive.projectId))
}

/** An environment with its policy of now, which compares requests with a document. */
export interface BoundEnvironment {
  readonly row: typeof environments.$inferSelect
  readonly policy: Policy
  readonly positive: Positive
}

/** The environments whose policy is bound to a project, by name. */
export async function boundEnvironments(
  read: Reader,
  tenantId: string,
  projectId: string,
): Promise<BoundEnvironment[]> {
  const rows = await read
    .select({ row: environments, policy: securityPolicies.policy })
    .from(environments)
    .innerJoin(
      securityPolicies,
      and(
        eq(securityPolicies.environmentId, environments.id),
        inTenant(securityPolicies, tenantId, eq(securityPolicies.version, environments.policyVersion)),
      ),
    )
    .where(inTenant(environments, tenantId))
    .orderBy(environments.name, environments.id)
  return rows.flatMap(({ row, policy }) =>
    policy.positive?.projectId === projectId ? [{ row, policy, positive: policy.positive }] : [],
  )
}

/** The strongest mode among the checks of a binding. */
export const strongestMode = (positive: Positive): 'off' | 'log' | 'block' => {
  const modes = new Set(positiveChecks.map((check) => positiveModeOf(positive, check)))
  if (modes.has('block')) return 'block'
  return modes.has('log') ? 'log' : 'off'
}
