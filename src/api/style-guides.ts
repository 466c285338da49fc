import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { roles } from './permissions.ts'
import {
  bodyOf,
  dateTime,
  FindingShape,
  GradeShape,
  oneOf,
  orNull,
  pageOf,
  pageQueryOptional,
  RangeShape,
  tenantParams,
} from './shapes.ts'

const severity = oneOf(['error', 'warning', 'info', 'hint'])

export const StyleGuideOut = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  builtin: Type.Boolean({ description: 'Builtin guides are read-only; duplicate one to change it.' }),
  isDefault: Type.Boolean({ description: 'Applies to every project without an assignment of its own.' }),
  sourceGuideId: orNull(Type.String({ description: 'The guide that this one was duplicated from.' })),
  rulesOn: Type.Integer(),
  rulesTotal: Type.Integer(),
  customRules: Type.Integer({ description: 'How many of the rules come from its custom-rules document.' }),
  assignments: Type.Integer({ description: 'How many projects it is assigned to.' }),
  digest: Type.String({ description: 'Changes with every rule that is added, changed or turned on or off.' }),
  createdAt: orNull(dateTime()),
  updatedAt: orNull(dateTime()),
})
export type StyleGuideOut = Static<typeof StyleGuideOut>

export const StyleGuideRule = Type.Object({
  id: Type.String(),
  origin: oneOf(['builtin', 'custom']),
  enabled: Type.Boolean(),
  severity,
  defaultSeverity: severity,
  recommended: Type.Boolean(),
  formats: orNull(Type.Array(Type.String(), { description: 'Null: every format.' })),
  description: orNull(Type.String()),
  documentationUrl: orNull(Type.String()),
})
export type StyleGuideRule = Static<typeof StyleGuideRule>

const CustomRules = Type.Object({
  guideId: Type.String(),
  yaml: Type.String({ description: 'A Spectral ruleset.' }),
  rules: Type.Array(StyleGuideRule),
  updatedAt: orNull(dateTime()),
})
export type CustomRules = Static<typeof CustomRules>

const Preview = Type.Object({
  rules: Type.Array(StyleGuideRule),
  grade: orNull(GradeShape),
  findings: Type.Array(FindingShape),
  unmatchedRules: Type.Array(
    Type.String({ description: 'A custom rule that applies to the format and whose "given" matched nothing.' }),
  ),
})

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
}

const PolicyGates = Type.Object({
  ...gateLevelFields,
  minGrade: oneOf(['A', 'B', 'C', 'D', 'F'], 'The worst grade that passes the gate lint-grade.'),
  failOn: oneOf(['error', 'warning', 'info'], 'Findings of this severity or worse miss the gate lint-findings.'),
})

export const PolicySettings = Type.Object({
  guideId: Type.String(),
  policyGates: PolicyGates,
  breakingPublishGuardrail: oneOf(guardrailLevels),
  approvalPolicy: Type.Object({ required: Type.Boolean(), minApprovals: Type.Integer() }),
  requiredReviewerRole: orNull(oneOf(roles)),
  updatedAt: orNull(dateTime()),
})
export type PolicySettings = Static<typeof PolicySettings>

const PolicyVersion = Type.Object({
  id: Type.String(),
  guideId: Type.String(),
  version: Type.Integer({ description: 'Counts from 1.' }),
  digest: Type.String(),
  rulesOn: Type.Integer(),
  createdBy: orNull(Type.String()),
  createdAt: dateTime(),
})
export const PolicyPack = Type.Object({
  ...PolicyVersion.properties,
  name: Type.String(),
  description: Type.String(),
  rules: Type.Array(StyleGuideRule),
  customRulesYaml: Type.String(),
  policy: Type.Omit(PolicySettings, ['guideId', 'updatedAt']),
})
export type PolicyPack = Static<typeof PolicyPack>

const Assignment = Type.Object({
  projectId: Type.String(),
  projectSlug: Type.String(),
  guideId: Type.String(),
  guideName: Type.String(),
  reason: oneOf(['assignment', 'tenant-default'], 'Why this guide applies to the project.'),
})

const base = '/v1/style-guides/{tenant_slug}'
const guideParams = { ...tenantParams, guide_id: Type.String({ minLength: 1 }) }
const projectParam = { project_id: Type.String({ minLength: 1, description: 'Id or slug of a project.' }) }
const view = { credentials: ['user', 'api-key', 'agent-key', 'mcp-key'], permission: 'style_guides:view' } as const
const edit = { credentials: ['user', 'api-key'], permission: 'style_guides:edit' } as const
const Done = Type.Record(Type.String(), Type.String())
const yamlBody = Type.String({ maxLength: 1_000_000, description: 'A Spectral ruleset in YAML or JSON.' })

/** Style guides: which rules apply to which project, and what a policy makes of what they find. */
export const styleGuidesApi = {
  list: endpoint({
    id: 'styleGuides.list',
    method: 'GET',
    path: base,
    summary: 'The style guides of a tenant, the default first',
    access: view,
    params: Type.Object(tenantParams),
    query: Type.Object(pageQueryOptional),
    response: pageOf(StyleGuideOut),
    errors: [],
  }),
  create: endpoint({
    id: 'styleGuides.create',
    method: 'POST',
    path: base,
    summary: 'Make a guide, from the recommended rules or as a duplicate of another',
    access: edit,
    params: Type.Object(tenantParams),
    body: bodyOf({
      name: Type.String({ minLength: 1, maxLength: 100 }),
      description: Type.Optional(Type.String({ maxLength: 2000 })),
      sourceGuideId: Type.Optional(orNull(Type.String())),
    }),
    response: StyleGuideOut,
    status: 201,
    errors: ['style-guide-not-found', 'style-guide-name-taken'],
  }),
  unassign: endpoint({
    id: 'styleGuides.unassign',
    method: 'DELETE',
    path: `${base}/assignments/projects/{project_id}`,
    summary: 'Take the assignment of a project away: the default of the tenant applies again',
    access: edit,
    params: Type.Object({ ...tenantParams, ...projectParam }),
    response: Done,
    errors: ['project-not-found'],
  }),
  assignment: endpoint({
    id: 'styleGuides.assignment',
    method: 'GET',
    path: `${base}/assignments/projects/{project_id}`,
    summary: 'The guide that applies to a project, and why',
    access: view,
    params: Type.Object({ ...tenantParams, ...projectParam }),
    response: Assignment,
    errors: ['project-not-found'],
  }),
  get: endpoint({
    id: 'styleGuides.get',
    method: 'GET',
    path: `${base}/{guide_id}`,
    summary: 'One guide',
    access: view,
    params: Type.Object(guideParams),
    response: StyleGuideOut,
    errors: ['style-guide-not-found'],
  }),
  update: endpoint({
    id: 'styleGuides.update',
    method: 'PATCH',
    path: `${base}/{guide_id}`,
    summary: 'Rename or describe a guide',
    access: edit,
    params: Type.Object(guideParams),
    body: bodyOf({
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      description: Type.Optional(Type.String({ maxLength: 2000 })),
    }),
    response: StyleGuideOut,
    errors: ['style-guide-not-found', 'style-guide-read-only', 'style-guide-name-taken'],
  }),
  remove: endpoint({
    id: 'styleGuides.delete',
    method: 'DELETE',
    path: `${base}/{guide_id}`,
    summary: 'Delete a guide with its assignments; a default gives way to the builtin guide',
    access: edit,
    params: Type.Object(guideParams),
    response: Done,
    errors: ['style-guide-not-found', 'style-guide-read-only'],
  }),
  rules: endpoint({
    id: 'styleGuides.rules',
    method: 'GET',
    path: `${base}/{guide_id}/rules`,
    summary: 'Every rule of a guide, those that are off too',
    access: view,
    params: Type.Object(guideParams),
    response: Type.Object({ items: Type.Array(StyleGuideRule), total: Type.Integer() }),
    errors: ['style-guide-not-found'],
  }),
  setRule: endpoint({
    id: 'styleGuides.setRule',
    method: 'PUT',
    path: `${base}/{guide_id}/rules/{rule_id}`,
    summary: 'Turn a rule on or off, or give it another severity',
    access: edit,
    params: Type.Object({ ...guideParams, rule_id: Type.String({ minLength: 1 }) }),
    body: bodyOf({ enabled: Type.Optional(Type.Boolean()), severity: Type.Optional(orNull(severity)) }),
    response: StyleGuideRule,
    errors: ['style-guide-not-found', 'style-guide-read-only', 'rule-not-found'],
  }),
  assign: endpoint({
    id: 'styleGuides.assign',
    method: 'PUT',
    path: `${base}/{guide_id}/assignments/projects/{project_id}`,
    summary: 'Assign a guide to a project, in place of the one assigned before',
    access: edit,
    params: Type.Object({ ...guideParams, ...projectParam }),
    response: Done,
    errors: ['style-guide-not-found', 'project-not-found'],
  }),
  customRules: endpoint({
    id: 'styleGuides.customRules',
    method: 'GET',
    path: `${base}/{guide_id}/custom-rules`,
    summary: 'The custom-rules document of a guide',
    access: { ...view, permission: null },
    params: Type.Object(guideParams),
    response: CustomRules,
    errors: ['style-guide-not-found'],
  }),
  putCustomRules: endpoint({
    id: 'styleGuides.putCustomRules',
    method: 'PUT',
    path: `${base}/{guide_id}/custom-rules`,
    summary: 'Replace the custom rules of a guide; "rules: {}" clears them',
    access: edit,
    params: Type.Object(guideParams),
    body: bodyOf({ yaml: yamlBody }),
    response: CustomRules,
    errors: ['style-guide-not-found', 'style-guide-read-only', 'custom-rules-invalid'],
  }),
  previewCustomRules: endpoint({
    id: 'styleGuides.previewCustomRules',
    method: 'POST',
    path: `${base}/{guide_id}/custom-rules/preview`,
    summary: 'Try custom rules on a stored version or a document given here; nothing is stored',
    access: view,
    params: Type.Object(guideParams),
    body: bodyOf({
      yaml: yamlBody,
      content: Type.Optional(Type.String({ description: 'The document to try the guide on.' })),
      name: Type.Optional(Type.String({ description: 'The file name that findings show.' })),
      project: Type.Optional(Type.String({ description: 'Id or slug, with `version`.' })),
      version: Type.Optional(Type.String({ description: 'Id, label or slug of a version of `project`.' })),
    }),
    bodyLimit: 64 * 1024 * 1024,
    response: Preview,
    errors: [
      'style-guide-not-found',
      'custom-rules-invalid',
      'project-not-found',
      'version-not-found',
      'preview-target-unclear',
    ],
  }),
  makeDefault: endpoint({
    id: 'styleGuides.makeDefault',
    method: 'PUT',
    path: `${base}/{guide_id}/default`,
    summary: 'Make a guide the default of the tenant',
    access: edit,
    params: Type.Object(guideParams),
    response: StyleGuideOut,
    errors: ['style-guide-not-found'],
  }),
  policy: endpoint({
    id: 'styleGuides.policy',
    method: 'GET',
    path: `${base}/{guide_id}/policy`,
    summary: 'What publishing under a guide asks for',
    access: view,
    params: Type.Object(guideParams),
    response: PolicySettings,
    errors: ['style-guide-not-found'],
  }),
  putPolicy: endpoint({
    id: 'styleGuides.putPolicy',
    method: 'PUT',
    path: `${base}/{guide_id}/policy`,
    summary: 'Change the policy of a guide; what is left out stays, a null reviewer role clears it',
    access: edit,
    params: Type.Object(guideParams),
    body: bodyOf({
      policyGates: Type.Optional(Type.Partial(PolicyGates, { additionalProperties: false })),
      breakingPublishGuardrail: Type.Optional(oneOf(guardrailLevels)),
      approvalPolicy: Type.Optional(
        bodyOf({
          required: Type.Optional(Type.Boolean()),
          minApprovals: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
        }),
      ),
      requiredReviewerRole: Type.Optional(orNull(oneOf(roles))),
    }),
    response: PolicySettings,
    errors: ['style-guide-not-found', 'style-guide-read-only'],
  }),
  policyVersions: endpoint({
    id: 'styleGuides.policyVersions',
    method: 'GET',
    path: `${base}/{guide_id}/policy-versions`,
    summary: 'The policy packs of a guide, newest first',
    access: view,
    params: Type.Object(guideParams),
    query: Type.Object(pageQueryOptional),
    response: pageOf(PolicyVersion),
    errors: ['style-guide-not-found'],
  }),
  createPolicyVersion: endpoint({
    id: 'styleGuides.createPolicyVersion',
    method: 'POST',
    path: `${base}/{guide_id}/policy-versions`,
    summary: 'Keep the guide as it is now, rules and policy, as a pack that never changes',
    access: edit,
    params: Type.Object(guideParams),
    response: PolicyPack,
    status: 201,
    errors: ['style-guide-not-found'],
  }),
  policyVersion: endpoint({
    id: 'styleGuides.policyVersion',
    method: 'GET',
    path: `${base}/{guide_id}/policy-versions/{policy_version_id}`,
    summary: 'One policy pack',
    access: view,
    params: Type.Object({ ...guideParams, policy_version_id: Type.String({ minLength: 1 }) }),
    response: PolicyPack,
    errors: ['style-guide-not-found', 'policy-version-not-found'],
  }),
  impact: endpoint({
    id: 'styleGuides.impact',
    method: 'GET',
    path: `${base}/{guide_id}/impact`,
    summary: 'Which grades would change if this guide applied: the newest version of each project, a page at a time',
    access: view,
    params: Type.Object(guideParams),
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0 })),
    }),
    response: pageOf(
      Type.Object({
        projectId: Type.String(),
        projectSlug: Type.String(),
        versionId: Type.String(),
        label: Type.String(),
        guideId: Type.String({ description: 'The guide that applies now.' }),
        before: Type.Object({ grade: orNull(Type.String()), score: orNull(Type.Number()) }),
        after: Type.Object({ grade: orNull(Type.String()), score: orNull(Type.Number()) }),
        changed: Type.Boolean(),
      }),
    ),
    errors: ['style-guide-not-found'],
  }),
} as const

/** A fault of a custom-rules document, in the detail of `custom-rules-invalid`. */
export const CustomRulesProblem = Type.Object({ message: Type.String(), pointer: Type.String(), range: RangeShape })
export type CustomRulesProblem = Static<typeof CustomRulesProblem>
