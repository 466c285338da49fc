import { Type, type Static } from '@sinclair/typebox'
import { standingRoles } from './permissions.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { FindingShape, GradeShape, RangeShape } from './shapes.ts'

/** After which edits an approval still counts. */
export const survivals = ['nothing', 'docs-only', 'non-breaking'] as const
export type Survival = (typeof survivals)[number]

export const severity = oneOf(['error', 'warning', 'info', 'hint'])

export const StyleGuideOut = titled(
  'StyleGuideOut',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    builtin: Type.Boolean({ description: 'Builtin guides are read-only; duplicate one to change it.' }),
    isDefault: Type.Boolean({ description: 'Applies to every project without an assignment of its own.' }),
    sourceGuideId: orNull(Type.String({ description: 'The guide that this one was duplicated from.' })),
    rulesOn: Type.Integer(),
    rulesTotal: Type.Integer(),
    customRules: Type.Integer({ description: 'Number of rules from its custom-rules document.' }),
    assignments: Type.Integer({ description: 'Number of projects it is assigned to.' }),
    digest: Type.String({ description: 'Changes when a rule is added, changed, or turned on or off.' }),
    createdAt: orNull(dateTime()),
    updatedAt: orNull(dateTime()),
  }),
)
export type StyleGuideOut = Static<typeof StyleGuideOut>

export const StyleGuideRule = titled(
  'StyleGuideRule',
  Type.Object({
    id: Type.String(),
    origin: oneOf(['builtin', 'custom']),
    enabled: Type.Boolean(),
    severity,
    defaultSeverity: severity,
    recommended: Type.Boolean(),
    formats: orNull(Type.Array(Type.String(), { description: 'Null: every format.' })),
    description: orNull(Type.String()),
    documentationUrl: orNull(Type.String()),
  }),
)
export type StyleGuideRule = Static<typeof StyleGuideRule>

export const CustomRules = titled(
  'StyleGuideCustomRulesResponse',
  Type.Object({
    guideId: Type.String(),
    yaml: Type.String({ description: 'A Spectral ruleset.' }),
    rules: Type.Array(StyleGuideRule),
    updatedAt: orNull(dateTime()),
  }),
)
export type CustomRules = Static<typeof CustomRules>

export const Preview = titled(
  'StyleGuideCustomRulesPreviewResponse',
  Type.Object({
    rules: Type.Array(StyleGuideRule),
    grade: orNull(GradeShape),
    findings: Type.Array(FindingShape),
    unmatchedRules: Type.Array(
      Type.String({ description: 'A custom rule that applies to the format and whose "given" matched nothing.' }),
    ),
  }),
)

/** What a gate does when its condition is missed. */
export const gateLevels = ['off', 'warn', 'block'] as const
export const guardrailLevels = ['off', 'warn', 'approve', 'block'] as const
const gateLevel = oneOf(gateLevels)
// `document-valid` always blocks, and `breaking-guardrail` has a level of its own.
const gateLevelFields = {
  'unresolved-refs': gateLevel,
  'lint-grade': gateLevel,
  'lint-findings': gateLevel,
  'semver-consistent': gateLevel,
  compat: gateLevel,
  'consumer-impact': gateLevel,
  'gateway-impact': gateLevel,
  approval: gateLevel,
  'threads-resolved': gateLevel,
}

export const PolicyGates = titled(
  'PublishPolicyGates',
  Type.Object({
    ...gateLevelFields,
    minGrade: oneOf(['A', 'B', 'C', 'D', 'F'], 'The worst grade that passes the gate lint-grade.'),
    failOn: oneOf(['error', 'warning', 'info'], 'Findings of this severity or worse miss the gate lint-findings.'),
  }),
)

/** Who must approve changes of a part of the API. */
export const ReviewRule = titled(
  'ReviewRule',
  bodyOf({
    match: bodyOf({
      tag: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      pathPrefix: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
      class: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Name of a schema.' })),
      breaking: Type.Optional(Type.Boolean()),
    }),
    reviewers: Type.Optional(Type.Array(Type.String(), { maxItems: 10, description: 'Ids of members.' })),
    role: Type.Optional(oneOf(standingRoles, 'Members of this role or a stronger one.')),
    min: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 1 })),
  }),
)

export const PolicySettings = titled(
  'StyleGuidePolicySettingsOut',
  Type.Object({
    guideId: Type.String(),
    policyGates: PolicyGates,
    breakingPublishGuardrail: oneOf(guardrailLevels),
    approvalPolicy: Type.Object({ required: Type.Boolean(), minApprovals: Type.Integer() }),
    requiredReviewerRole: orNull(oneOf(standingRoles)),
    approvalsSurvive: oneOf(survivals, 'After which edits of the document an approval still counts.'),
    reviewRules: Type.Array(ReviewRule),
    updatedAt: orNull(dateTime()),
  }),
)
export type PolicySettings = Static<typeof PolicySettings>

export const PolicyVersion = titled(
  'StyleGuidePolicyVersionSummary',
  Type.Object({
    id: Type.String(),
    guideId: Type.String(),
    version: Type.Integer({ description: 'Counts from 1.' }),
    digest: Type.String(),
    rulesOn: Type.Integer(),
    createdBy: orNull(Type.String()),
    createdAt: dateTime(),
  }),
)
export const PolicyPack = titled(
  'StyleGuidePolicyVersionOut',
  Type.Object({
    ...PolicyVersion.properties,
    name: Type.String(),
    description: Type.String(),
    rules: Type.Array(StyleGuideRule),
    customRulesYaml: Type.String(),
    policy: titled('PublishPolicy', Type.Omit(PolicySettings, ['guideId', 'updatedAt'])),
  }),
)
export type PolicyPack = Static<typeof PolicyPack>

export const Assignment = titled(
  'StyleGuideAssignment',
  Type.Object({
    projectId: Type.String(),
    projectSlug: Type.String(),
    guideId: Type.String(),
    guideName: Type.String(),
    reason: oneOf(['assignment', 'tenant-default'], 'Why this guide applies to the project.'),
  }),
)

/** A fault of a custom-rules document, in the detail of `custom-rules-invalid`. */
export const CustomRulesProblem = titled(
  'CustomRulesProblem',
  Type.Object({ message: Type.String(), pointer: Type.String(), range: RangeShape }),
)
export type CustomRulesProblem = Static<typeof CustomRulesProblem>

/** Stored versions being linted again. */
export const Relint = titled(
  'RelintJob',
  Type.Object({
    jobId: Type.String(),
    status: oneOf(['queued', 'running', 'completed', 'completed_with_warnings', 'blocked', 'failed', 'cancelled']),
    progress: Type.Object({
      done: Type.Integer({ description: 'Versions processed so far.' }),
      total: Type.Integer(),
    }),
    result: orNull(
      Type.Object({
        linted: Type.Integer(),
        changed: Type.Integer({ description: 'Versions whose grade changed.' }),
        skipped: Type.Array(Type.Object({ project: Type.String(), version: Type.String(), reason: Type.String() }), {
          description: 'Versions that could not be linted, with the reason; at most 100.',
        }),
      }),
    ),
    error: orNull(Type.Object({ code: Type.String(), message: Type.String() })),
    createdAt: Type.String(),
    finishedAt: orNull(Type.String()),
  }),
)
