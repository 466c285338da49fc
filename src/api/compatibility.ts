import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { ChangeShape, stableQuery } from './shapes.ts'
import { may, projectIdParams, stableCounts, versionErrors } from './kit.ts'

const classifications = ['safe', 'breaking', 'unknown'] as const
export const compatFormats = ['json', 'sarif', 'junit'] as const
export const compatProfiles = ['standard', 'strict', 'lenient', 'oasdiff', 'openapi-diff'] as const

const revision = (what: string) =>
  Type.String({ minLength: 1, description: `${what}: id, label or slug of a version of the project, or "latest".` })

const Rules = Type.Record(Type.String(), oneOf(['breaking', 'non-breaking', 'docs-only', 'ignore']), {
  description: 'Severities by rule id, in place of the calculated ones; "ignore" removes the finding.',
})
const Policy = titled(
  'Policy',
  bodyOf({
    profile: Type.Optional(oneOf(compatProfiles, 'What counts as breaking where the facts leave it open.')),
    breakingChangeDocumentationIssueUrl: Type.Optional(
      orNull(
        Type.String({
          maxLength: 2000,
          pattern: '^https?://[^/{}]+',
          examples: ['https://issues.example.com/new?title={project}'],
          description:
            'Address for reporting a breaking change; {project}, {base}, {head} and {fingerprint} are replaced.',
        }),
      ),
    ),
  }),
)

export const CompatFinding = titled(
  'CompatFinding',
  Type.Composite([ChangeShape, Type.Object({ ruleId: Type.String(), baseRevisionId: Type.String() })]),
)

const DeprecationWarning = titled(
  'DeprecationWarning',
  Type.Object({
    code: oneOf(['revision-deprecated', 'revision-sunset', 'revision-retired', 'deprecation-added']),
    message: Type.String(),
    revisionId: Type.String(),
    operation: orNull(Type.String()),
    sunsetAt: orNull(dateTime()),
  }),
)

export const CompatibilityCheck = titled(
  'CompatibilityCheckResponse',
  Type.Object({
    overall: oneOf(classifications),
    baseRevisionId: Type.String(),
    headRevisionId: Type.String(),
    /** The revisions that the head was compared with. */
    comparedWith: Type.Array(
      Type.Object({ revisionId: Type.String(), label: Type.String(), overall: oneOf(classifications) }),
    ),
    findings: Type.Array(CompatFinding),
    ruleHits: Type.Record(Type.String(), Type.Integer()),
    breakingChangeDocumentationIssueUrl: orNull(Type.String()),
    reportFingerprint: Type.String(),
    tenantCompatGateActive: Type.Boolean(),
    mergeBlockedByCompatGate: Type.Boolean(),
    deprecationWarnings: Type.Array(DeprecationWarning),
    deprecatedRevisionBlocked: Type.Boolean({
      description: 'A version of the pair is retired or deprecated past its sunset, or the head is deprecated.',
    }),
  }),
)
export type CompatibilityCheck = Static<typeof CompatibilityCheck>

const ToolRun = titled(
  'ToolRun',
  Type.Object({
    name: Type.String(),
    version: orNull(Type.String()),
    status: oneOf(['ran', 'failed', 'not-configured', 'not-applicable']),
    overall: orNull(oneOf(classifications)),
    findings: Type.Integer(),
    durationMs: orNull(Type.Integer()),
    message: orNull(Type.String()),
  }),
)
export const EvidenceDifference = titled(
  'EvidenceDifference',
  Type.Object({
    operation: orNull(Type.String()),
    ours: oneOf(classifications),
    theirs: oneOf(classifications),
    ourRules: Type.Array(Type.String()),
    theirRules: Type.Array(Type.String()),
  }),
)
const evidenceFields = {
  id: Type.String(),
  projectId: Type.String(),
  baseRevisionId: Type.String(),
  headRevisionId: Type.String(),
  baseLabel: Type.String(),
  headLabel: Type.String(),
  overall: oneOf(classifications),
  counts: Type.Record(Type.String(), Type.Integer()),
  ruleHits: Type.Record(Type.String(), Type.Integer()),
  reportFingerprint: Type.String(),
  tools: Type.Array(ToolRun, {
    description: 'The tools that ran: the engine of svc, and the tool that the operator configured.',
  }),
  agreement: oneOf(['agree', 'differ', 'not-compared']),
  differences: Type.Array(EvidenceDifference),
  createdBy: orNull(Type.String()),
  createdAt: dateTime(),
}
export const EvidenceRun = titled('EvidenceRun', Type.Object(evidenceFields))
export type EvidenceRun = Static<typeof EvidenceRun>
export const Evidence = titled(
  'CompatibilityEvidence',
  Type.Object({
    ...evidenceFields,
    findings: Type.Array(ChangeShape),
    externalFindings: Type.Array(
      Type.Object({
        id: Type.String(),
        classification: oneOf(classifications),
        message: Type.String(),
        operation: orNull(Type.String()),
      }),
    ),
  }),
)
export type Evidence = Static<typeof Evidence>

const base = '/v1/versions/{tenant_slug}/{project_id}'
const produces = ['application/json', 'application/sarif+json', 'application/xml'] as const

/** Compatibility of revisions: the check, and evidence that is kept on the head. */
export const compatibilityApi = {
  check: endpoint({
    id: 'compatibility.check',
    origin: 'spec',
    method: 'POST',
    path: `${base}/compatibility`,
    summary:
      'Check whether clients of one version can use another; against=all-published checks every published version',
    access: may('versions:view'),
    params: Type.Object(projectIdParams),
    query: Type.Object({ against: Type.Optional(oneOf(['base', 'all-published'])) }),
    body: titled(
      'CompatibilityCheckRequest',
      bodyOf({
        baseRevisionId: revision('The older side'),
        headRevisionId: revision('The newer side'),
        rules: Type.Optional(orNull(Rules)),
        policy: Type.Optional(orNull(Policy)),
      }),
    ),
    response: CompatibilityCheck,
    errors: [...versionErrors, 'rule-unknown', 'analysis-stopped'],
  }),
  recordEvidence: endpoint({
    id: 'compatibility.evidence',
    origin: 'spec',
    method: 'POST',
    path: `${base}/compatibility/evidence`,
    summary: 'Compare two versions with the engine of svc and the configured tool, and store the result on the head',
    access: may('versions:edit'),
    params: Type.Object(projectIdParams),
    query: Type.Object({ format: Type.Optional(oneOf(compatFormats)) }),
    body: titled(
      'CompatibilityEvidenceRequest',
      bodyOf({ baseRevisionId: revision('The older side'), headRevisionId: revision('The newer side') }),
    ),
    response: Evidence,
    produces,
    errors: [...versionErrors, 'analysis-stopped'],
  }),
  listEvidence: endpoint({
    id: 'compatibility.list-evidence',
    origin: 'spec',
    method: 'GET',
    path: `${base}/{version_id}/compatibility/evidence`,
    summary:
      'List the stored evidence of a version, newest first; format=sarif or junit answers the newest run for a gate',
    access: may('versions:view'),
    params: Type.Object({ ...projectIdParams, version_id: revision('The head') }),
    query: Type.Object({ ...stableQuery, format: Type.Optional(oneOf(compatFormats)) }),
    response: Type.Object({
      items: Type.Array(EvidenceRun),
      ...stableCounts,
    }),
    produces,
    errors: [...versionErrors, 'evidence-not-found'],
  }),
} as const
