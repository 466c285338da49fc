import type { Reader } from '../../db/database.ts'
import type { LintGuide } from '../guide-rules/door.ts'
import type { Policy } from './policy.ts'
import { assignedIdOf, defaultIdOf, findGuide, lintGuideOf, policyOf } from './store.ts'

/** What applies to a project: the rules and the policy. */
export interface EffectiveGuide {
  readonly guide: LintGuide
  readonly policy: Policy
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
  const found = await findGuide(read, tenantId, assigned ?? (await defaultIdOf(read, tenantId)))
  return { guide: lintGuideOf(found), policy: policyOf(found) }
}
