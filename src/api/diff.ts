import { Type, type Static } from '@sinclair/typebox'
import { changeSeverities } from '../diff/change.ts'
import { compatProfiles } from './compatibility.ts'
import { ConsumerImpactReport } from './consumer-shapes.ts'
import { endpoint } from './endpoint.ts'
import { bodyOf, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { ChangeShape } from './shapes.ts'
import { may, tenantParams, versionErrors, listed } from './kit.ts'

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
    document_version: orNull(Type.String({ description: 'Version that the document itself states (info.version).' })),
  }),
)

const names = (description: string) => Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }))
const SeverityCounts = Type.Record(Type.String(), Type.Integer())

/** Which operations to compare; those that match one entry of each list that is given. */
const ClassifiedDiffScope = titled(
  'ClassifiedDiffScope',
  bodyOf({
    paths: names('Globs on paths, such as "/pets/**"; a pattern that begins with "^" is a regular expression.'),
    operations: names('"GET /pets", or an operationId.'),
    tags: names('Names of tags.'),
  }),
)

/** How changes are classified, where it is not the standard way. */
const ClassifiedDiffRules = titled(
  'ClassifiedDiffRules',
  bodyOf({
    profile: Type.Optional(oneOf(compatProfiles, 'What counts as breaking where the facts leave it open.')),
    mode: Type.Optional(oneOf(['backward', 'forward', 'full'], 'For JSON Schema: whose values have to stay valid.')),
    asOf: Type.Optional(
      Type.String({ description: 'Date to evaluate sunsets and expiry dates at (2026-01-31); today when omitted.' }),
    ),
    severity: Type.Optional(
      Type.Record(Type.String(), oneOf(changeSeverities), {
        description: 'Severities by the id of a change rule, in place of the calculated ones.',
      }),
    ),
    ignore: Type.Optional(
      Type.Array(
        bodyOf({
          match: Type.String({ minLength: 1, description: 'The id of a change rule, or a fingerprint.' }),
          reason: Type.String({ minLength: 1 }),
          until: Type.Optional(Type.String({ description: 'Last day on which the acceptance counts (2026-01-31).' })),
        }),
        { description: 'Accepted changes; the answer lists them under "ignored" instead of "changes".' },
      ),
    ),
  }),
)

/** What a comparison says beside its changes. */
const conclusion = {
  counts: SeverityCounts,
  maxSeverity: orNull(Type.String()),
  base: ResolvedSide,
  head: ResolvedSide,
  witness: Type.Optional(Type.Unknown({ description: 'For two JSON Schemas: a counterexample, or null.' })),
}

const compared = {
  changes: Type.Array(ChangeShape),
  ...conclusion,
  ignored: Type.Optional(
    Type.Array(Type.Object({ change: ChangeShape, reason: Type.String() }), {
      description: 'Present when accepted changes were given.',
    }),
  ),
  scope: Type.Optional(
    Type.Object(
      {
        paths: Type.Array(Type.String()),
        operations: Type.Array(Type.String()),
        tags: Type.Array(Type.String()),
        selected: Type.Integer({ description: 'Number of operations that are compared.' }),
        total: Type.Integer({ description: 'Number of operations in both documents together.' }),
        leftOut: Type.Object({ counts: SeverityCounts, maxSeverity: orNull(Type.String()) }),
      },
      { description: 'Present when a scope was given: what it left out.' },
    ),
  ),
  consumers: Type.Optional(ConsumerImpactReport),
}

/** What a rule about changes explains, for readers of a change. */
export const ChangeRule = titled(
  'ChangeRule',
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    explanation: Type.String({
      description: 'Why it matters and when it breaks clients; names are in backticks.',
    }),
    concerns: oneOf(['requests', 'responses', 'requests and responses', 'the document as a whole']),
    opposite: orNull(Type.String({ description: 'Id of the rule of the opposite change.' })),
    aliases: Type.Array(Type.String(), { description: 'Ids of the same rule in other tools.' }),
  }),
)
export type ChangeRule = Static<typeof ChangeRule>

/** The classified diff. */
export const diffApi = {
  classified: endpoint({
    id: 'diff.classified',
    origin: 'spec',
    method: 'POST',
    path: '/v1/diff/{tenant_slug}/classified',
    summary:
      'Compare two versions, or a stored version with a candidate; Markdown, HTML, SARIF or JUnit when Accept asks for it',
    access: listed({
      ...may('versions:view'),
      keyScope: 'diff:read',
      agentTool: 'diff.classified',
    }),
    params: Type.Object(tenantParams),
    body: titled(
      'ClassifiedDiffRequest',
      bodyOf({
        base: StoredSide,
        head: Type.Union([StoredSide, bodyOf({ inline: Type.String(), name: Type.Optional(Type.String()) })]),
        consumers: Type.Optional(Type.Boolean()),
        rules: Type.Optional(ClassifiedDiffRules),
        scope: Type.Optional(ClassifiedDiffScope),
      }),
    ),
    // The inline head has a limit of its own, checked by the handler: 10 MB of UTF-8 after JSON's escapes are undone.
    // An inline head of 10 MB, each sign of which may be written as an escape of several.
    bodyLimit: 32 * 1024 * 1024,
    response: titled('ClassifiedDiffResponse', Type.Object(compared)),
    produces: ['application/json', 'text/markdown', 'text/html', 'application/sarif+json', 'application/xml'],
    errors: [
      ...versionErrors,
      'document-invalid',
      'rule-unknown',
      'usage',
      'body-too-large',
      'permission-denied',
      'analysis-stopped',
    ],
  }),
  pages: endpoint({
    id: 'diff.pages',
    origin: 'own',
    method: 'GET',
    path: '/v1/diff/{tenant_slug}/pages',
    summary: 'Compare two stored versions and get the changes in pages',
    access: listed(may('versions:view')),
    params: Type.Object(tenantParams),
    query: Type.Object({
      base_project: Type.String({ minLength: 1, description: 'Id or slug of a project.' }),
      base_version: Type.String({ minLength: 1, description: 'Id, label or slug of a version, or "latest".' }),
      head_project: Type.String({ minLength: 1, description: 'Id or slug of a project.' }),
      head_version: Type.String({ minLength: 1, description: 'Id, label or slug of a version, or "latest".' }),
      consumers: Type.Optional(Type.Boolean({ description: 'Whether to say which consumers are affected.' })),
      page: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, default: 0, description: 'Counted from 0.' })),
    }),
    response: titled(
      'ClassifiedDiffPage',
      Type.Object({
        ...conclusion,
        page: Type.Integer(),
        pages: Type.Integer({ description: 'How many pages there are: one at least.' }),
        total: Type.Integer({ description: 'The changes of all pages.' }),
        changes: Type.Array(ChangeShape),
        omitted: Type.Array(Type.String(), {
          description:
            'Fingerprints of changes of this page whose values are too long for it: what was before, what is after and the counterexample are null where they have over 100,000 characters.',
        }),
        consumers: Type.Optional({
          ...ConsumerImpactReport,
          description: 'On the first page, where it was asked for.',
        }),
      }),
    ),
    errors: [...versionErrors, 'usage', 'permission-denied', 'analysis-stopped'],
  }),
  rule: endpoint({
    id: 'diff.rule',
    origin: 'own',
    method: 'GET',
    path: '/v1/diff/{tenant_slug}/rules/{rule_id}',
    summary: 'Explain a change rule: why it matters, when it breaks clients, its ids in other tools',
    access: listed(may('versions:view')),
    params: Type.Object({
      ...tenantParams,
      rule_id: Type.String({ minLength: 1, description: 'The id of a change, such as "operation-removed".' }),
    }),
    response: ChangeRule,
    errors: ['change-rule-not-found'],
  }),
} as const
