import { PrimitiveReview } from './primitive-shapes.ts'
import { Type } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { ImportPlan, ImportSource } from './imports.ts'
import { Gate } from './versions.ts'
import { bodyOf, FindingShape, GradeShape, oneOf, orNull, tenantParams, versionParams, titled } from './shapes.ts'

const LintReport = titled(
  'LintReport',
  Type.Object({
    version_id: orNull(Type.String()),
    guide: Type.String(),
    guide_id: Type.String(),
    grade: GradeShape,
    findings: Type.Array(FindingShape),
    unmatched_rules: Type.Array(Type.String(), {
      description: 'Rules that are on for the format and matched nothing in the document.',
    }),
    skipped_rules: Type.Array(Type.Object({ code: Type.String(), reason: Type.String() }), {
      description: 'Rules that are on and could not run, each with the reason.',
    }),
  }),
)
const LintGate = titled(
  'LintGate',
  Type.Object({
    passed: Type.Boolean(),
    min_grade: orNull(Type.String()),
    fail_on: orNull(Type.String()),
    reasons: Type.Array(Type.String()),
  }),
)
const thresholds = {
  min_grade: Type.Optional(oneOf(['A', 'B', 'C', 'D', 'F'])),
  fail_on: Type.Optional(oneOf(['error', 'warning', 'info'])),
}
const access = {
  credentials: ['user', 'api-key'],
  permission: 'versions:view',
  keyScope: 'lint:read',
  agentTool: 'lint.catalog',
} as const
const errors = ['project-not-found', 'version-not-found', 'analysis-stopped'] as const

/** Lint reports of stored versions and of candidates. */
export const lintApi = {
  version: endpoint({
    id: 'lint.version',
    method: 'GET',
    path: '/v1/lint/{tenant_slug}/catalog/{project_ref}/{version_ref}',
    summary: 'Lint a stored version',
    access,
    params: Type.Object(versionParams),
    response: LintReport,
    errors,
  }),
  gate: endpoint({
    id: 'lint.gate',
    method: 'GET',
    path: '/v1/lint/{tenant_slug}/catalog/{project_ref}/{version_ref}/gate',
    summary: 'Check a stored version against thresholds; without any, errors fail',
    access,
    params: Type.Object(versionParams),
    query: Type.Object(thresholds),
    response: Type.Object({ gate: LintGate, grade: GradeShape }),
    errors,
  }),
  preflight: endpoint({
    id: 'lint.preflight',
    method: 'POST',
    path: '/v1/lint/{tenant_slug}/preflight',
    summary: 'Lint and grade a candidate without storing it',
    description:
      'Give the text in `content`, or any source that an import takes in `source`. Findings come ranked: by severity, then by what their rule costs.',
    access: { credentials: ['user', 'api-key'], permission: 'versions:view', agentTool: 'lint.preflight' },
    params: Type.Object(tenantParams),
    body: bodyOf({
      content: Type.Optional(Type.String({ description: 'The text of the document, JSON or YAML.' })),
      source: Type.Optional(ImportSource),
      name: Type.Optional(Type.String({ description: 'Name of `content` in findings.' })),
      format: Type.Optional(Type.String({ description: 'Id of an import format; detected when omitted.' })),
      root: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description: 'In a tree: the document, or the folder that reading is limited to.',
        }),
      ),
      target: Type.Optional(
        oneOf(
          ['catalog', 'types', 'project'],
          'catalog: the document by itself. types: also what the registry of types would do with it: new, identical and conflicting types. project: as the version of a project that an import would make, compared with what is published there.',
        ),
      ),
      project: Type.Optional(
        Type.String({ description: 'Id or slug of a project whose style guide applies instead of the default.' }),
      ),
      ...thresholds,
    }),
    // An archive of 64 MB as base64, and what is around it.
    bodyLimit: 88 * 1024 * 1024,
    response: Type.Object({
      source: Type.String({ description: 'Name of the document in findings.' }),
      format: orNull(Type.Object({ kind: Type.String(), version: Type.String() })),
      target: oneOf(['catalog', 'types', 'project']),
      gate: LintGate,
      grade: GradeShape,
      findings: Type.Array(FindingShape),
      policy: Type.Object({
        verdict: oneOf(['pass', 'warn', 'blocked'], 'Verdict of the publishing policy on the candidate.'),
        guide: Type.String(),
        guide_id: Type.String(),
        gates: Type.Array(Gate),
      }),
      plan: orNull(ImportPlan),
      types: orNull(PrimitiveReview),
      refusal: orNull(
        Type.Object(
          { code: Type.String(), message: Type.String(), hint: Type.String() },
          { description: 'Why an import of it would be refused.' },
        ),
      ),
    }),
    errors: [
      'project-not-found',
      'analysis-stopped',
      'usage',
      'egress-denied',
      'fetch-failed',
      'git-failed',
      'source-refused',
      'source-path-missing',
      'source-empty',
      'source-ambiguous',
    ],
  }),
} as const
