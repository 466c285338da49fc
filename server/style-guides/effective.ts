import type { Reader } from '../../db/database.ts'
import { recommendedGuide, type LintGuide } from '../analysis/guide.ts'
import { freshPolicy, type Policy } from './policy.ts'
import { assignedIdOf, defaultIdOf, findGuide, lintGuideOf, policyOf } from './store.ts'

/** What applies to a project: the rules, the policy, and why. */
export interface EffectiveGuide {
  readonly guide: LintGuide
  readonly policy: Policy
  readonly reason: 'assignment' | 'tenant-default'
}

/**
 * The guide of a project: its own assignment, else the default of the tenant.
 * @param projectId null for a project that is not there yet
 */
export async function effectiveGuide(
  read: Reader,
  tenantId: string,
  projectId: string | null,
): Promise<EffectiveGuide> {
  const assigned = projectId === null ? null : await assignedIdOf(read, tenantId, projectId)
  const reason = assigned === null ? 'tenant-default' : 'assignment'
  const id = assigned ?? (await defaultIdOf(read, tenantId))
  if (id === recommendedGuide.id) return { guide: recommendedGuide, policy: freshPolicy, reason }
  const found = await findGuide(read, tenantId, id)
  return { guide: lintGuideOf(found), policy: policyOf(found), reason }
}
