/** The shapes of security policies: presets, groups, rules, exceptions. */
import { Type, type Static } from '@sinclair/typebox'
import {
  exceptionStates,
  groupIds,
  groupModes,
  positiveChecks,
  positiveModes,
  ruleActions,
  tierIds,
} from '../gateway-policy/door.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'

/** What an operation answers whose change may need another person. */
export const approvalErrors = [
  'approval-required',
  'approval-not-found',
  'approval-stale',
  'approval-used',
  'approval-expired',
  'approval-withdrawn',
  'approval-mismatch',
] as const

/** Why a custom rule is refused. */
export const ruleErrors = [
  'rule-invalid',
  'rule-expression-invalid',
  'rule-expression-too-long',
  'rule-too-complex',
  'rule-matches-all',
  'rule-allow-unscoped',
  'rule-skip-all-managed',
  'rule-cidr-any',
  'rule-untrusted-forwarded-ip',
  'rule-regex-unsafe',
  'rule-reads-credential',
  'rule-blocks-health',
  'rule-challenge-on-api',
] as const

/** What steers a write, in every body. */
export const writeControls = {
  expectedPolicyVersion: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Refused with policy-version-conflict where the policy is at another.' }),
  ),
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Store nothing; the answer has the change and its effect on recorded events.' }),
  ),
  approvalId: Type.Optional(Type.String({ description: 'The approval of this change, where it needs one.' })),
  applyWhenApproved: Type.Optional(
    Type.Boolean({
      description:
        'Where the change needs an approval: the service makes it as soon as enough people approved it, as who requested it. Otherwise who requested it makes it afterwards.',
    }),
  ),
}
/** What steers the request for an approval, in the query of operations that take nothing else. */
export const approvalQuery = {
  approvalId: writeControls.approvalId,
  applyWhenApproved: writeControls.applyWhenApproved,
}
/** The same in the query of operations without a body. */
export const writeQuery = {
  expectedPolicyVersion: Type.Optional(writeControls.expectedPolicyVersion),
  dryRun: writeControls.dryRun,
  ...approvalQuery,
}

const counts = {
  unchanged: Type.Integer(),
  newlyBlocked: Type.Integer(),
  newlyAllowed: Type.Integer(),
  unknown: Type.Integer({ description: 'Requests whose record is not enough to tell the effect.' }),
}
export const previewFields = {
  events: Type.Integer({ description: 'How many events were looked at: the newest 10,000 of 7 days at most.' }),
  considered: Type.Integer({ description: 'How many requests these are about.' }),
  reached: Type.Optional(
    Type.Integer({
      description:
        'How many of them the change is about, or may be: for the others, both policies are the same. Absent where the change does nothing to any request, and in older previews.',
    }),
  ),
  ...counts,
  byRoute: Type.Array(Type.Object({ route: orNull(Type.String()), ...counts })),
  samples: Type.Array(
    Type.Object({
      eventId: Type.String(),
      at: dateTime(),
      method: orNull(Type.String()),
      route: orNull(Type.String()),
      ruleRef: Type.String(),
      before: oneOf(['refused', 'passed', 'unknown'], 'Under the policy in force.'),
      after: oneOf(['refused', 'passed', 'unknown'], 'Under the policy with the change.'),
    }),
  ),
}
export const SecurityPreview = titled(
  'SecurityPreview',
  Type.Object(previewFields, {
    description:
      'What the policy with a change does to recorded requests, beside what the policy in force does to them, in numbers of requests.',
  }),
)
export type SecurityPreview = Static<typeof SecurityPreview>

export const SecurityChange = titled(
  'SecurityChange',
  Type.Object({
    setting: Type.String({ description: 'What changes, as "groups/sqli".' }),
    sentence: Type.String(),
    risk: orNull(Type.String({ description: 'Why it needs another person; null: it does not.' })),
  }),
)
export type SecurityChange = Static<typeof SecurityChange>

/** What every write answers beside what it wrote. */
export const writeResult = {
  policyVersion: Type.Integer({ description: 'The version that is in force now.' }),
  digest: Type.String({
    description: 'Digest of the effect of the policy: of this version or, with dryRun, after the change.',
  }),
  changed: Type.Boolean({
    description: 'False if the policy already had these settings; then there is no new version.',
  }),
  dryRun: Type.Boolean(),
  changes: Type.Array(SecurityChange),
  approvalRequired: Type.Boolean({
    description: 'With dryRun: whether the change needs the approval of another person.',
  }),
  preview: orNull(SecurityPreview),
}

const rateKey = Type.String({
  pattern: "^(?:ip|header:[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128})$",
  default: 'ip',
  examples: ['ip'],
  description: '"ip", or "header:NAME".',
})
export const RateLimit = titled(
  'RateLimit',
  Type.Object(
    {
      limit: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      windowSeconds: Type.Integer({ minimum: 1, maximum: 3600 }),
      key: Type.Optional(rateKey),
    },
    { additionalProperties: false },
  ),
)
const Challenge = titled(
  'Challenge',
  Type.Object(
    { kind: oneOf(['managed', 'interactive']), passMinutes: Type.Integer({ minimum: 1, maximum: 1440 }) },
    { additionalProperties: false },
  ),
)
const reason = Type.String({ maxLength: 1000 })
const level = Type.Integer({ minimum: 1, maximum: 4 })
const threshold = Type.Integer({ minimum: 1, maximum: 100 })

export const Presets = titled(
  'SecurityPresets',
  Type.Object({
    tier: oneOf(tierIds),
    paranoia: orNull(level),
    threshold: orNull(threshold),
    bot: oneOf(groupModes),
    rate: orNull(RateLimit),
    challenge: orNull(Challenge),
    reasons: Type.Record(Type.String(), Type.String(), {
      description: 'Reasons by preset: tier, bot, rate, challenge.',
    }),
    levels: Type.Object(
      { blocking: Type.Integer(), detection: Type.Integer(), threshold: Type.Integer() },
      { description: 'The values that the engine gets.' },
    ),
  }),
)

export const ManagedGroup = titled(
  'SecurityManagedGroup',
  Type.Object({
    id: oneOf(groupIds),
    title: Type.String(),
    detects: Type.String(),
    mode: orNull(oneOf(groupModes, 'Its own mode; null: the catalogue default.')),
    effective: oneOf(groupModes),
    because: Type.String({ description: 'Why the effective mode is this one.' }),
    catalogDefault: oneOf(groupModes),
    reason: orNull(Type.String()),
    rules: Type.Integer({
      description: 'How many rules of it add to the score, at the blocking level of the presets.',
    }),
    rulesByLevel: Type.Array(Type.Integer()),
    readsResponses: Type.Boolean({ description: 'Whether the gateway delays responses to check them.' }),
    hits24h: Type.Integer({ description: 'Requests of the last 24 hours in which it reported.' }),
  }),
)
export type ManagedGroup = Static<typeof ManagedGroup>

const expression = Type.Union([Type.String({ maxLength: 20_000 }), Type.Record(Type.String(), Type.Unknown())], {
  description:
    'A tree ({and: […]}, {or: […]}, {not: …} or {field, op, value}), or its text form as `http.path starts "/admin"`.',
  examples: ['http.path starts "/admin" and not ip.src cidr ["10.0.0.0/8"]'],
})
export const ruleFields = {
  enabled: Type.Optional(Type.Boolean({ default: true })),
  status: Type.Optional(
    orNull(Type.Integer({ minimum: 400, maximum: 599, description: 'Of a refusal; 403, or 429 of a rate limit.' })),
  ),
  expression: Type.Optional(expression),
  expressionText: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description: 'The text form, in place of `expression`.',
      examples: ['http.path starts "/admin"'],
    }),
  ),
  order: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100_000,
      description: 'Rules with lower numbers apply first; new rules come last.',
    }),
  ),
  reason: Type.Optional(reason),
  groups: Type.Optional(
    Type.Array(oneOf(groupIds), { maxItems: 13, description: 'What a rule with the action "skip" skips.' }),
  ),
  rate: Type.Optional(orNull(RateLimit)),
}
export const ruleName = Type.String({ minLength: 1, maxLength: 200 })
export const ruleAction = oneOf(ruleActions)

export const RuleCreate = titled(
  'SlateSecurityRuleCreate',
  bodyOf({ name: ruleName, action: ruleAction, ...ruleFields, ...writeControls }),
)
export type RuleCreate = Static<typeof RuleCreate>
export const RuleUpdate = titled(
  'SlateSecurityRuleUpdate',
  bodyOf({ name: Type.Optional(ruleName), action: Type.Optional(ruleAction), ...ruleFields, ...writeControls }),
)
export type RuleUpdate = Static<typeof RuleUpdate>
export const RulePreviewRequest = titled(
  'SlateSecurityRulePreviewRequest',
  bodyOf({
    ruleId: Type.Optional(Type.String({ description: 'The rule that it would replace.' })),
    name: Type.Optional(ruleName),
    action: ruleAction,
    ...ruleFields,
  }),
)
export type RulePreviewRequest = Static<typeof RulePreviewRequest>

export const SecurityRule = titled(
  'SlateSecurityRule',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    enabled: Type.Boolean(),
    action: ruleAction,
    status: orNull(Type.Integer()),
    expression: Type.Record(Type.String(), Type.Unknown(), {
      examples: [{ field: 'http.path', op: 'starts', value: '/admin' }],
    }),
    expressionText: Type.String({ examples: ['http.path starts "/admin"'] }),
    order: Type.Integer(),
    reason: Type.String(),
    groups: Type.Array(oneOf(groupIds)),
    rate: orNull(RateLimit),
    version: Type.Integer({ description: 'Counts the changes of the rule.' }),
    createdBy: orNull(Type.String()),
    createdAt: dateTime(),
    removedAt: orNull(dateTime('A removed rule does nothing and can be restored.')),
    hits24h: Type.Integer({ description: 'Requests of the last 24 hours to which it applied.' }),
  }),
)
export type SecurityRule = Static<typeof SecurityRule>

const scope = Type.Object(
  {
    route: Type.Optional(
      orNull(Type.String({ maxLength: 500, description: 'As "/pets/{petId}".', examples: ['/search'] })),
    ),
    path: Type.Optional(orNull(Type.String({ maxLength: 500, description: 'As "/search" or "/files/*".' }))),
    method: Type.Optional(orNull(Type.String({ maxLength: 32 }))),
    field: Type.Optional(
      orNull(Type.String({ maxLength: 500, description: 'query:NAME, header:NAME, cookie:NAME or json:/POINTER/*.' })),
    ),
  },
  { additionalProperties: false, description: 'One route or one path, and what narrows it.' },
)
const target = Type.Object(
  {
    groups: Type.Optional(Type.Array(oneOf(groupIds), { maxItems: 13 })),
    ruleRefs: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 50,
        description: 'crs:942100, rule:ID, positive:CHECK.',
      }),
    ),
  },
  { additionalProperties: false, description: 'The groups and rules that do not apply to the scope.' },
)
export const exceptionFields = {
  scope,
  target,
  reason: Type.String({ minLength: 1, maxLength: 1000 }),
  ticket: Type.Optional(orNull(Type.String({ maxLength: 200 }))),
  expiresAt: Type.Optional(orNull(dateTime('At most 30 days from now.'))),
}
export const ExceptionCreate = titled('SecurityExceptionCreate', bodyOf({ ...exceptionFields, ...writeControls }))
export type ExceptionCreate = Static<typeof ExceptionCreate>
export const ExceptionDraft = titled(
  'SecurityExceptionDraft',
  Type.Object(exceptionFields, { description: 'A body for POST /security/exceptions.' }),
)
export type ExceptionDraft = Static<typeof ExceptionDraft>

export const SecurityException = titled(
  'SecurityException',
  Type.Object({
    id: Type.String(),
    scope: Type.Object({
      route: orNull(Type.String()),
      path: orNull(Type.String()),
      method: orNull(Type.String()),
      field: orNull(Type.String()),
    }),
    target: Type.Object({ groups: Type.Array(oneOf(groupIds)), ruleRefs: Type.Array(Type.String()) }),
    reason: Type.String(),
    ticket: orNull(Type.String()),
    expiresAt: dateTime(),
    state: oneOf(exceptionStates),
    policyVersion: Type.Integer({ description: 'The version that it came with.' }),
    hits: Type.Object({
      active: Type.Integer({ description: 'Requests that it let through.' }),
      sinceExpiry: Type.Integer({ description: 'Requests since its end that it would have let through.' }),
    }),
    createdBy: orNull(Type.String()),
    createdAt: dateTime(),
    removedAt: orNull(dateTime()),
    approvalId: orNull(Type.String()),
  }),
)
export type SecurityException = Static<typeof SecurityException>

export const positiveMode = oneOf(positiveModes)
/** A mode for each check. */
export const positiveCheckModes = Object.fromEntries(positiveChecks.map((it) => [it, positiveMode])) as Record<
  (typeof positiveChecks)[number],
  typeof positiveMode
>
export const Positive = titled(
  'SecurityPositive',
  Type.Object({
    projectId: Type.String(),
    version: Type.String({ description: 'A label, "latest" or "production".' }),
    mode: positiveMode,
    checks: Type.Object(positiveCheckModes, {
      description: 'What each check does, where `mode` is not weaker.',
    }),
    stripPrefix: orNull(Type.String({ description: 'What paths begin with before those of the document.' })),
  }),
)

export const PresetsUpdate = titled(
  'SetPresetsRequest',
  bodyOf({
    tier: Type.Optional(oneOf(tierIds)),
    paranoia: Type.Optional(orNull(level)),
    threshold: Type.Optional(orNull(threshold)),
    bot: Type.Optional(oneOf(groupModes)),
    rate: Type.Optional(orNull(RateLimit)),
    challenge: Type.Optional(orNull(Challenge)),
    reason: Type.Optional(reason),
    ...writeControls,
  }),
)
export type PresetsUpdate = Static<typeof PresetsUpdate>
export const GroupUpdate = titled(
  'SetManagedGroupRequest',
  bodyOf({
    mode: orNull(oneOf(groupModes, 'Null: back to the catalogue default.')),
    reason: Type.Optional(orNull(reason)),
    ...writeControls,
  }),
)
export type GroupUpdate = Static<typeof GroupUpdate>
