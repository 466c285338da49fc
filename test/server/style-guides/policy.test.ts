import { expect, test } from 'bun:test'
import { changedPolicy, freshPolicy, storedPolicy, type Policy } from '../../../server/style-guides/policy.ts'

const fresh: Policy = {
  policyGates: {
    'unresolved-refs': 'warn',
    'lint-grade': 'warn',
    'lint-findings': 'warn',
    'semver-consistent': 'warn',
    compat: 'warn',
    'consumer-impact': 'warn',
    approval: 'warn',
    'gateway-impact': 'warn',
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

test('a new guide blocks nothing and asks for no approval; so does a stored one without a policy', () => {
  expect(freshPolicy).toEqual(fresh)
  expect(storedPolicy({})).toEqual(fresh)
})

test('a change keeps what it leaves out, and null clears the role of the reviewer', () => {
  const reviewed = changedPolicy(freshPolicy, {
    policyGates: { compat: 'block' },
    approvalPolicy: { required: true },
    requiredReviewerRole: 'admin',
  })
  expect(reviewed).toEqual({
    ...fresh,
    policyGates: { ...fresh.policyGates, compat: 'block' },
    approvalPolicy: { required: true, minApprovals: 1 },
    requiredReviewerRole: 'admin',
  })
  expect(changedPolicy(reviewed, {})).toEqual(reviewed)
  expect(changedPolicy(reviewed, { requiredReviewerRole: null }).requiredReviewerRole).toBeNull()
})
