import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { editSecurity, environmentParams, tenantSlugQuery, viewSecurity } from './environments.ts'
import {
  approvalErrors,
  ruleErrors,
  ExceptionCreate,
  GroupUpdate,
  ManagedGroup,
  Positive,
  Presets,
  PresetsUpdate,
  RuleCreate,
  RulePreviewRequest,
  RuleUpdate,
  SecurityChange,
  SecurityException,
  SecurityPreview,
  SecurityRule,
  writeControls,
  writeQuery,
  writeResult,
} from './gateway-shapes.ts'
import { SecurityApproval } from './gateway-record-shapes.ts'
import { bodyOf, dateTime, oneOf, orNull, pageQueryOptional, titled } from './shapes.ts'

const base = '/v1/slate/environments/{environment_id}/security'
const params = Type.Object(environmentParams)
const id = Type.String({ minLength: 1 })
const query = Type.Object(tenantSlugQuery)
const missing = ['tenant-unnamed', 'environment-not-found'] as const
const write = [...missing, 'policy-version-conflict', 'mode-unsupported', ...approvalErrors] as const

const page = { count: Type.Integer(), total: Type.Integer(), limit: Type.Integer(), offset: Type.Integer() }

export const SecurityPolicy = titled(
  'SecurityPolicyResponse',
  Type.Object({
    environmentId: Type.String(),
    policyVersion: Type.Integer(),
    digest: Type.String(),
    presets: Presets,
    managedGroups: Type.Array(ManagedGroup),
    rules: Type.Array(SecurityRule),
    removedRules: Type.Array(SecurityRule, { description: 'Newest first; each can be restored.' }),
    exceptions: Type.Array(SecurityException, { description: 'Those that are active.' }),
    positive: orNull(Positive),
    enforces: Type.Array(
      Type.Object({
        setting: Type.String(),
        engine: orNull(Type.String()),
        state: oneOf(['enforced', 'approximated', 'not-enforced', 'unknown'], 'unknown: no gateway has confirmed it.'),
        reason: orNull(Type.String()),
      }),
    ),
    releases: Type.Object({
      latest: orNull(Type.String()),
      active: Type.Record(Type.String(), Type.String(), { description: 'The release that each gateway reports.' }),
    }),
    approvals: Type.Object({ required: Type.Boolean(), approversMin: Type.Integer() }),
    pendingApprovals: Type.Array(SecurityApproval),
  }),
)
export type SecurityPolicy = Static<typeof SecurityPolicy>

const WriteRule = titled(
  'SlateSecurityWriteRuleResponse',
  Type.Object({
    rule: SecurityRule,
    warnings: Type.Array(Type.String(), { description: 'What is allowed and probably not meant.' }),
    ...writeResult,
  }),
)

export const PolicyVersion = titled(
  'SecurityPolicyVersion',
  Type.Object({
    version: Type.Integer(),
    digest: Type.String(),
    createdAt: dateTime(),
    createdBy: orNull(Type.String()),
    createdByName: Type.String(),
    changes: Type.Array(Type.String(), { description: 'What it changed, in sentences.' }),
    restoredFrom: orNull(Type.Integer()),
  }),
)

/** The security policy of an environment (spec sections 2.8 and 4.8). */
export const gatewayApi = {
  get: endpoint({
    id: 'gateway.get',
    method: 'GET',
    path: base,
    summary: 'Show the security policy: presets, groups, rules, exceptions, and what enforces it',
    access: viewSecurity,
    params,
    query,
    response: SecurityPolicy,
    errors: missing,
  }),
  setPresets: endpoint({
    id: 'gateway.set-presets',
    method: 'PUT',
    path: `${base}/presets`,
    summary: 'Set the tier, bots, the rate limit and the challenge',
    description: 'What is left out keeps its value. The tier "off" needs a reason.',
    access: editSecurity,
    params,
    query,
    body: PresetsUpdate,
    response: titled('SetPresetsResponse', Type.Object({ presets: Presets, ...writeResult })),
    errors: [...write, 'managed-off-without-reason'],
  }),
  managedGroups: endpoint({
    id: 'gateway.managed-groups',
    method: 'GET',
    path: `${base}/managed-groups`,
    summary: 'List the managed groups with their modes, and why each is in effect',
    access: viewSecurity,
    params,
    query,
    response: titled(
      'SecurityManagedGroupsResponse',
      Type.Object({ policyVersion: Type.Integer(), groups: Type.Array(ManagedGroup), count: Type.Integer() }),
    ),
    errors: missing,
  }),
  setManagedGroup: endpoint({
    id: 'gateway.set-managed-group',
    method: 'PUT',
    path: `${base}/managed-groups/{group_id}`,
    summary: 'Set the mode of a managed group, or return it to the catalogue default',
    description: 'The modes off and log need a reason.',
    access: editSecurity,
    params: Type.Object({ ...environmentParams, group_id: id }),
    query,
    body: GroupUpdate,
    response: titled('SetManagedGroupResponse', Type.Object({ group: ManagedGroup, ...writeResult })),
    errors: [...write, 'group-unknown', 'managed-off-without-reason'],
  }),
  createRule: endpoint({
    id: 'gateway.create-rule',
    method: 'POST',
    path: `${base}/rules`,
    summary: 'Add a custom rule; unsafe ones are refused by name',
    access: editSecurity,
    params,
    query,
    body: RuleCreate,
    status: 201,
    response: WriteRule,
    errors: [...write, ...ruleErrors, 'security-limit-reached'],
  }),
  previewRule: endpoint({
    id: 'gateway.preview-rule',
    method: 'POST',
    path: `${base}/rules/preview`,
    summary: 'Show what is unsafe in a rule, and what it would have done to recorded events',
    access: viewSecurity,
    params,
    query,
    body: RulePreviewRequest,
    response: titled(
      'SlateSecurityRulePreviewResponse',
      Type.Object({
        expression: Type.Record(Type.String(), Type.Unknown()),
        expressionText: Type.String(),
        refusals: Type.Array(Type.Object({ code: oneOf(ruleErrors), reason: Type.String() })),
        warnings: Type.Array(Type.String()),
        changes: Type.Array(SecurityChange),
        approvalRequired: Type.Boolean(),
        matching: Type.Object(
          { yes: Type.Integer(), no: Type.Integer(), unknown: Type.Integer() },
          { description: 'Requests of recorded events that meet the expression.' },
        ),
        preview: SecurityPreview,
      }),
    ),
    errors: [
      ...missing,
      'rule-not-found',
      'rule-invalid',
      'rule-expression-invalid',
      'rule-too-complex',
      'rule-expression-too-long',
    ],
  }),
  updateRule: endpoint({
    id: 'gateway.update-rule',
    method: 'PUT',
    path: `${base}/rules/{rule_id}`,
    summary: 'Change a custom rule; the same is refused as for a new one',
    description: 'What is left out keeps its value.',
    access: editSecurity,
    params: Type.Object({ ...environmentParams, rule_id: id }),
    query,
    body: RuleUpdate,
    response: WriteRule,
    errors: [...write, ...ruleErrors, 'rule-not-found'],
  }),
  removeRule: endpoint({
    id: 'gateway.remove-rule',
    method: 'DELETE',
    path: `${base}/rules/{rule_id}`,
    summary: 'Remove a custom rule; it is kept and can be restored',
    access: editSecurity,
    params: Type.Object({ ...environmentParams, rule_id: id }),
    query: Type.Object({ ...tenantSlugQuery, ...writeQuery }),
    response: titled('DeleteRuleResponse', Type.Object({ rule: SecurityRule, ...writeResult })),
    errors: [...write, 'rule-not-found'],
  }),
  restoreRule: endpoint({
    id: 'gateway.restore-rule',
    method: 'POST',
    path: `${base}/rules/{rule_id}/restore`,
    summary: 'Restore a removed rule as it was',
    access: editSecurity,
    params: Type.Object({ ...environmentParams, rule_id: id }),
    query,
    body: titled('SlateSecurityRestoreRequest', bodyOf(writeControls)),
    bodyOptional: true,
    response: WriteRule,
    errors: [...write, ...ruleErrors, 'rule-not-found', 'security-limit-reached'],
  }),
  exceptions: endpoint({
    id: 'gateway.exceptions',
    method: 'GET',
    path: `${base}/exceptions`,
    summary: 'List exceptions with what they let through, newest first',
    access: viewSecurity,
    params,
    query: Type.Object({
      ...tenantSlugQuery,
      include_expired: Type.Optional(Type.Boolean({ description: 'Also those that expired or were removed.' })),
    }),
    response: titled(
      'SecurityExceptionsResponse',
      Type.Object({ policyVersion: Type.Integer(), exceptions: Type.Array(SecurityException), count: Type.Integer() }),
    ),
    errors: missing,
  }),
  createException: endpoint({
    id: 'gateway.create-exception',
    method: 'POST',
    path: `${base}/exceptions`,
    summary: 'Exempt one place from groups or rules until an end',
    access: editSecurity,
    params,
    query,
    body: ExceptionCreate,
    status: 201,
    response: titled('ExceptionResponse', Type.Object({ exception: SecurityException, ...writeResult })),
    errors: [
      ...write,
      'exception-invalid',
      'exception-unbounded',
      'exception-too-long',
      'exception-unscoped',
      'rule-not-found',
      'security-limit-reached',
    ],
  }),
  removeException: endpoint({
    id: 'gateway.remove-exception',
    method: 'DELETE',
    path: `${base}/exceptions/{exception_id}`,
    summary: 'Remove an exception; it stays in the list',
    access: editSecurity,
    params: Type.Object({ ...environmentParams, exception_id: id }),
    query: Type.Object({
      ...tenantSlugQuery,
      expectedPolicyVersion: Type.Integer({ minimum: 1 }),
      dryRun: writeQuery.dryRun,
      approvalId: writeQuery.approvalId,
    }),
    response: titled('DeleteExceptionResponse', Type.Object({ exception: SecurityException, ...writeResult })),
    errors: [...write, 'exception-not-found'],
  }),
  policyVersions: endpoint({
    id: 'gateway.policy-versions',
    method: 'GET',
    path: `${base}/policy-versions`,
    summary: 'List the versions of the policy, newest first, or compare two of them',
    access: viewSecurity,
    params,
    query: Type.Object({
      ...tenantSlugQuery,
      ...pageQueryOptional,
      from: Type.Optional(
        Type.Integer({ minimum: 1, description: 'With `to`: answers what differs between the two.' }),
      ),
      to: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    response: titled(
      'SecurityPolicyVersionsResponse',
      Type.Object({
        versions: Type.Array(PolicyVersion),
        comparison: orNull(
          Type.Object({ from: Type.Integer(), to: Type.Integer(), changes: Type.Array(SecurityChange) }),
        ),
        ...page,
      }),
    ),
    errors: [...missing, 'security-version-not-found'],
  }),
  restorePolicyVersion: endpoint({
    id: 'gateway.restore-policy-version',
    method: 'POST',
    path: `${base}/policy-versions/{version}/restore`,
    summary: 'Make an older version of the policy the newest one again',
    description: 'Exceptions come back with the end that they had; what ended meanwhile stays ended.',
    access: editSecurity,
    params: Type.Object({ ...environmentParams, version: Type.Integer({ minimum: 1 }) }),
    query,
    body: titled('SecurityPolicyRestoreRequest', bodyOf(writeControls)),
    bodyOptional: true,
    response: titled('SecurityPolicyRestoreResponse', Type.Object({ restoredFrom: Type.Integer(), ...writeResult })),
    errors: [...write, 'security-version-not-found'],
  }),
} as const
