import { Type, type Static } from '@sinclair/typebox'
import { ConsumerImpactReport } from './consumers.ts'
import { endpoint } from './endpoint.ts'
import { bodyOf, ChangeShape, oneOf, orNull, tenantParams, titled } from './shapes.ts'

const StoredSide = titled(
  'StoredSide',
  bodyOf({
    project: Type.String({ minLength: 1, description: 'Id or slug of a project.' }),
    version: Type.String({ minLength: 1, description: 'Id, label or slug of a version, or "latest".' }),
  }),
)
const ResolvedSide = titled(
  'ResolvedSide',
  Type.Object({
    kind: oneOf(['stored', 'inline']),
    project_id: orNull(Type.String()),
    version_id: orNull(Type.String()),
    label: Type.String(),
    digest: Type.String(),
  }),
)

/** What a rule about changes explains, for readers of a change. */
export const ChangeRule = titled(
  'ChangeRule',
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    explanation: Type.String({
      description: 'Why it matters and when it breaks somebody; names stand between backticks.',
    }),
    concerns: oneOf(['requests', 'responses', 'requests and responses', 'the document as a whole']),
    opposite: orNull(Type.String({ description: 'The id of the rule of the opposite change.' })),
    aliases: Type.Array(Type.String(), { description: 'What other tools call it.' }),
  }),
)
export type ChangeRule = Static<typeof ChangeRule>

/** The classified diff (spec sections 2.12 and 4.12). */
export const diffApi = {
  classified: endpoint({
    id: 'diff.classified',
    method: 'POST',
    path: '/v1/diff/{tenant_slug}/classified',
    summary:
      'Compare two versions, or a stored one with a candidate; markdown, HTML, SARIF or JUnit where Accept asks for it',
    access: { credentials: ['user', 'api-key'], permission: 'versions:view', keyScope: 'diff:read' },
    params: Type.Object(tenantParams),
    body: titled(
      'ClassifiedDiffRequest',
      bodyOf({
        base: StoredSide,
        head: Type.Union([StoredSide, bodyOf({ inline: Type.String(), name: Type.Optional(Type.String()) })]),
        consumers: Type.Optional(Type.Boolean()),
      }),
    ),
    // The inline head has a limit of its own, checked by the handler: 10 MB of UTF-8 after JSON's escapes are undone.
    bodyLimit: 64 * 1024 * 1024,
    response: titled(
      'ClassifiedDiffResponse',
      Type.Object({
        changes: Type.Array(ChangeShape),
        counts: Type.Record(Type.String(), Type.Integer()),
        maxSeverity: orNull(Type.String()),
        base: ResolvedSide,
        head: ResolvedSide,
        consumers: orNull(ConsumerImpactReport),
      }),
    ),
    produces: ['application/json', 'text/markdown', 'text/html', 'application/sarif+json', 'application/xml'],
    errors: [
      'project-not-found',
      'version-not-found',
      'document-invalid',
      'body-too-large',
      'permission-denied',
      'analysis-stopped',
    ],
  }),
  rule: endpoint({
    id: 'diff.rule',
    method: 'GET',
    path: '/v1/diff/{tenant_slug}/rules/{rule_id}',
    summary: 'What a rule about changes means: why it matters, when it breaks somebody, what other tools call it',
    access: { credentials: ['user', 'api-key'], permission: 'versions:view', keyScope: 'diff:read' },
    params: Type.Object({
      ...tenantParams,
      rule_id: Type.String({ minLength: 1, description: 'The id of a change, such as "operation-removed".' }),
    }),
    response: ChangeRule,
    errors: ['change-rule-not-found'],
  }),
} as const
