import { Type, type Static } from '@sinclair/typebox'
import { groupIds } from '../gateway-policy/door.ts'
import { endpoint } from './endpoint.ts'
import { exceptionFields, ruleAction, ruleFields, ruleName } from './gateway-shapes.ts'
import {
  approvalErrors,
  GroupUpdate,
  Positive,
  positiveCheckModes,
  positiveMode,
  PresetsUpdate,
  previewFields,
  SecurityChange,
  writeControls,
  writeResult,
  ruleErrors,
} from './gateway-shapes.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { editSecurity, environmentErrors, inEnvironment, securityPath, viewSecurity } from './kit.ts'

const bound = {
  positive: orNull(Positive),
  effective: orNull(Type.Object(positiveCheckModes, { description: 'The mode that each check has in effect.' })),
  projectSlug: orNull(Type.String({ description: 'Null where it is bound to no project, or to one that is gone.' })),
  bound: orNull(
    Type.Object(
      {
        versionId: Type.String(),
        label: Type.String(),
        status: Type.String(),
        digest: Type.String(),
        operations: Type.Integer(),
        publishedAt: orNull(dateTime()),
      },
      { description: 'The version that the binding currently points to.' },
    ),
  ),
  problem: orNull(Type.String({ description: 'Why requests cannot be compared with it at present.' })),
}

export const SecurityNarrowing = titled(
  'SecurityNarrowing',
  Type.Object(
    {
      from: Type.String({ description: 'The version that requests are compared with now.' }),
      to: Type.String(),
      total: Type.Integer({ description: 'How many changes narrow requests.' }),
      changes: Type.Array(
        Type.Object({
          id: Type.String(),
          method: orNull(Type.String()),
          path: orNull(Type.String()),
          message: Type.String(),
          classification: oneOf(['breaking', 'unknown']),
          consumers: Type.Array(Type.String(), { description: 'Handles of the consumers that it touches.' }),
        }),
        { description: 'The first 100 of them.' },
      ),
      consumers: Type.Array(Type.String()),
    },
    { description: 'Requests that the version in use accepts and another version refuses.' },
  ),
)
export type SecurityNarrowing = Static<typeof SecurityNarrowing>

const positiveFields = {
  projectId: Type.Optional(Type.String({ minLength: 1, description: 'Id or slug; needed for the first binding.' })),
  version: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'A published label, "latest", or "production": the greatest published one that is not a pre-release. "latest" for a project that is new here.',
    }),
  ),
  mode: Type.Optional(oneOf(['off', 'log', 'block'], 'No check is stronger than it. "log" for the first binding.')),
  checks: Type.Optional(
    Type.Object(
      {
        unknownOperation: Type.Optional(positiveMode),
        method: Type.Optional(positiveMode),
        parameters: Type.Optional(positiveMode),
        undeclaredQuery: Type.Optional(positiveMode),
        contentType: Type.Optional(positiveMode),
        body: Type.Optional(positiveMode),
        security: Type.Optional(positiveMode),
      },
      {
        additionalProperties: false,
        description: 'By default `undeclaredQuery` and `security` log; all others block.',
      },
    ),
  ),
  stripPrefix: Type.Optional(
    orNull(
      Type.String({
        maxLength: 500,
        pattern: '^/[^?#\\s]*$',
        examples: ['/api'],
        description: 'What paths at the gateway begin with before those of the document.',
      }),
    ),
  ),
}
export const PositiveUpdate = titled(
  'SetPositiveRequest',
  bodyOf({ ...positiveFields, reason: Type.Optional(Type.String({ maxLength: 1000 })), ...writeControls }),
)
export type PositiveUpdate = Static<typeof PositiveUpdate>

const { tier, paranoia, threshold, bot, rate, challenge, reason } = PresetsUpdate.properties
/** Writes that are previewed together: each as its own operation takes it. */
export const PolicyEdit = Type.Object(
  {
    presets: Type.Optional(
      Type.Object({ tier, paranoia, threshold, bot, rate, challenge, reason }, { additionalProperties: false }),
    ),
    managedGroups: Type.Optional(
      Type.Array(
        Type.Object(
          { id: oneOf(groupIds), mode: GroupUpdate.properties.mode, reason: GroupUpdate.properties.reason },
          { additionalProperties: false },
        ),
        { maxItems: 13 },
      ),
    ),
    rules: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ruleId: Type.Optional(Type.String({ description: 'The rule that changes; a new one without it.' })),
            remove: Type.Optional(Type.Boolean({ description: 'With `ruleId`: removes it.' })),
            name: Type.Optional(ruleName),
            action: Type.Optional(ruleAction),
            ...ruleFields,
          },
          { additionalProperties: false },
        ),
        { maxItems: 50 },
      ),
    ),
    exceptions: Type.Optional(
      Type.Array(Type.Object(exceptionFields, { additionalProperties: false }), {
        maxItems: 50,
        description: 'New ones.',
      }),
    ),
    removeExceptions: Type.Optional(Type.Array(Type.String(), { maxItems: 50, description: 'Ids of exceptions.' })),
    positive: Type.Optional(Type.Object(positiveFields, { additionalProperties: false })),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type PolicyEdit = Static<typeof PolicyEdit>

/** Positive security: requests are compared with a published document. */
export const gatewayPositiveApi = {
  positive: endpoint({
    id: 'gateway.positive',
    origin: 'own',
    method: 'GET',
    path: `${securityPath}/positive`,
    summary: 'Show which document requests are validated against, and what each check does',
    access: viewSecurity,
    ...inEnvironment,
    response: titled('SecurityPositiveResponse', Type.Object({ policyVersion: Type.Integer(), ...bound })),
    errors: environmentErrors,
  }),
  setPositive: endpoint({
    id: 'gateway.set-positive',
    origin: 'own',
    method: 'PUT',
    path: `${securityPath}/positive`,
    summary: 'Validate requests against a published document, or change what the checks do',
    description:
      'What is left out keeps its value. With `dryRun` the answer also says which requests another version would refuse, and which consumers send them.',
    access: editSecurity,
    ...inEnvironment,
    body: PositiveUpdate,
    response: titled(
      'SetPositiveResponse',
      Type.Object({ ...bound, narrowing: orNull(SecurityNarrowing), ...writeResult }),
    ),
    errors: [
      ...environmentErrors,
      'project-not-found',
      'positive-unbound',
      'positive-version-unusable',
      'policy-version-conflict',
      ...approvalErrors,
      'analysis-stopped',
    ],
  }),
  preview: endpoint({
    id: 'gateway.preview',
    origin: 'own',
    method: 'POST',
    path: `${securityPath}/preview`,
    summary: 'Show the combined effect of one or more changes on recorded requests; nothing is stored',
    access: viewSecurity,
    ...inEnvironment,
    body: titled('SecurityPreviewRequest', bodyOf({ change: PolicyEdit })),
    response: titled(
      'SecurityPreviewResponse',
      Type.Object({
        policyVersion: Type.Integer({ description: 'The version that the writes were tried on.' }),
        ...previewFields,
        changes: Type.Array(SecurityChange),
        approvalRequired: Type.Boolean(),
        narrowing: orNull(SecurityNarrowing),
      }),
    ),
    errors: [
      ...environmentErrors,
      'managed-off-without-reason',
      'rule-not-found',
      ...ruleErrors,
      'exception-invalid',
      'exception-unbounded',
      'exception-too-long',
      'exception-unscoped',
      'exception-not-found',
      'security-limit-reached',
      'project-not-found',
      'positive-unbound',
      'positive-version-unusable',
      'analysis-stopped',
    ],
  }),
} as const
