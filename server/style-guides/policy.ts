import type { PolicySettings } from '../../src/api/style-guide-shapes.ts'
import type { Input } from '../../src/api/endpoint.ts'
import type { styleGuidesApi } from '../../src/api/style-guides.ts'

/** What publishing under a guide asks for. */
export type Policy = Omit<PolicySettings, 'guideId' | 'updatedAt'>

/** What a tenant starts with: only an invalid document stops a publication, everything else warns. */
export const freshPolicy: Policy = {
  policyGates: {
    'unresolved-refs': 'warn',
    'lint-grade': 'warn',
    'lint-findings': 'warn',
    'semver-consistent': 'warn',
    compat: 'warn',
    'consumer-impact': 'warn',
    'gateway-impact': 'warn',
    approval: 'warn',
    'threads-resolved': 'warn',
    minGrade: 'B',
    failOn: 'error',
  },
  breakingPublishGuardrail: 'warn',
  approvalPolicy: { required: false, minApprovals: 1 },
  requiredReviewerRole: null,
  approvalsSurvive: 'docs-only',
  reviewRules: [],
}

/** A change of a policy: what is left out stays as it is. */
export type PolicyChange = Input<(typeof styleGuidesApi)['putPolicy']>['body']

/** The policy after a change; `requiredReviewerRole: null` clears it. */
export const changedPolicy = (policy: Policy, change: PolicyChange): Policy => ({
  policyGates: { ...policy.policyGates, ...change.policyGates },
  breakingPublishGuardrail: change.breakingPublishGuardrail ?? policy.breakingPublishGuardrail,
  approvalPolicy: { ...policy.approvalPolicy, ...change.approvalPolicy },
  requiredReviewerRole:
    change.requiredReviewerRole === undefined ? policy.requiredReviewerRole : change.requiredReviewerRole,
  approvalsSurvive: change.approvalsSurvive ?? policy.approvalsSurvive,
  reviewRules: change.reviewRules ?? policy.reviewRules,
})

/** The policy of a stored guide, whatever fields it had when it was stored. */
export const storedPolicy = (stored: unknown): Policy => changedPolicy(freshPolicy, stored as PolicyChange)
