import type { PolicySettings } from '../../../../src/api/style-guide-shapes.ts'
import type { Input } from '../../../../src/api/endpoint.ts'
import type { styleGuidesApi } from '../../../../src/api/style-guides.ts'

/** The policy of a guide as a pack keeps it, too. */
export type Policy = Omit<PolicySettings, 'guideId' | 'updatedAt'>
export type Gates = Policy['policyGates']

export const policyOf = (settings: PolicySettings): Policy => ({
  policyGates: settings.policyGates,
  breakingPublishGuardrail: settings.breakingPublishGuardrail,
  approvalPolicy: settings.approvalPolicy,
  requiredReviewerRole: settings.requiredReviewerRole,
  approvalsSurvive: settings.approvalsSurvive,
  reviewRules: settings.reviewRules,
})

const changedFields = <T extends object>(before: T, after: T): Partial<T> =>
  Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key as keyof T] !== value)) as Partial<T>

/** What has to be sent for a policy to become another: what is left out stays, and a null role clears it. */
export const policyChange = (before: Policy, after: Policy): Input<(typeof styleGuidesApi)['putPolicy']>['body'] => {
  const policyGates = changedFields(before.policyGates, after.policyGates)
  const approvalPolicy = changedFields(before.approvalPolicy, after.approvalPolicy)
  return {
    ...(Object.keys(policyGates).length === 0 ? {} : { policyGates }),
    ...(before.breakingPublishGuardrail === after.breakingPublishGuardrail
      ? {}
      : { breakingPublishGuardrail: after.breakingPublishGuardrail }),
    ...(Object.keys(approvalPolicy).length === 0 ? {} : { approvalPolicy }),
    ...(before.requiredReviewerRole === after.requiredReviewerRole
      ? {}
      : { requiredReviewerRole: after.requiredReviewerRole }),
    ...(before.approvalsSurvive === after.approvalsSurvive ? {} : { approvalsSurvive: after.approvalsSurvive }),
    // Two answers have lists of their own, which are equal by their content.
    ...(JSON.stringify(before.reviewRules) === JSON.stringify(after.reviewRules)
      ? {}
      : { reviewRules: after.reviewRules }),
  }
}
