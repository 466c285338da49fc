import type { PolicyPack, StyleGuideRule } from '../../../../src/api/style-guide-shapes.ts'

/** Something that one pack says otherwise than another. Null: the other one has nothing of the kind. */
export interface PackChange {
  readonly what: string
  readonly before: string | null
  readonly after: string | null
}

const settingOf = ({ enabled, severity }: StyleGuideRule): string => (enabled ? severity : 'off')

const ruleChanges = (before: readonly StyleGuideRule[], after: readonly StyleGuideRule[]): PackChange[] => {
  const [old, now] = [before, after].map((rules) => new Map(rules.map((it) => [it.id, settingOf(it)])))
  const ids = [...new Set([...before, ...after].map((it) => it.id))]
  return ids
    .map((what) => ({ what, before: old?.get(what) ?? null, after: now?.get(what) ?? null }))
    .filter((it) => it.before !== it.after)
}

const policyFacts = ({ policy }: PolicyPack): Record<string, string> => {
  const { minGrade, failOn, ...levels } = policy.policyGates
  const { required, minApprovals } = policy.approvalPolicy
  return {
    ...levels,
    'minimum grade': minGrade,
    'findings from': failOn,
    'breaking changes': policy.breakingPublishGuardrail,
    approvals: required ? `at least ${minApprovals}` : 'none',
    'reviewer role': policy.requiredReviewerRole ?? 'any role',
  }
}

const policyChanges = (before: PolicyPack, after: PolicyPack): PackChange[] => {
  const [old, now] = [policyFacts(before), policyFacts(after)]
  return Object.keys(now)
    .map((what) => ({ what, before: old[what] ?? null, after: now[what] ?? null }))
    .filter((it) => it.before !== it.after)
}

/** What became other from one pack to the next: rules by id, policy by field, name and description. */
export const comparePacks = (before: PolicyPack, after: PolicyPack) => ({
  facts: (['name', 'description'] as const)
    .map((what): PackChange => ({ what, before: before[what], after: after[what] }))
    .filter((it) => it.before !== it.after),
  rules: ruleChanges(before.rules, after.rules),
  policy: policyChanges(before, after),
})
