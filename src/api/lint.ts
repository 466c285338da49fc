import { Type } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { Gate } from './versions.ts'
import { bodyOf, FindingShape, GradeShape, oneOf, orNull, tenantParams, versionParams } from './shapes.ts'

const LintReport = Type.Object({
  version_id: orNull(Type.String()),
  guide: Type.String(),
  guide_id: Type.String(),
  grade: GradeShape,
  findings: Type.Array(FindingShape),
})
const LintGate = Type.Object({
  passed: Type.Boolean(),
  min_grade: orNull(Type.String()),
  fail_on: orNull(Type.String()),
  reasons: Type.Array(Type.String()),
})
const thresholds = {
  min_grade: Type.Optional(oneOf(['A', 'B', 'C', 'D', 'F'])),
  fail_on: Type.Optional(oneOf(['error', 'warning', 'info'])),
}
const access = { credentials: ['user', 'api-key'], permission: 'versions:view', keyScope: 'lint:read' } as const
const errors = ['project-not-found', 'version-not-found'] as const

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
    summary: 'Whether a stored version meets the thresholds; errors fail it when none is given',
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
    summary: 'Grade a candidate without storing it',
    access: { credentials: ['user', 'api-key'], permission: 'versions:view' },
    params: Type.Object(tenantParams),
    body: bodyOf({
      content: Type.String(),
      name: Type.Optional(Type.String()),
      format: Type.Optional(Type.String()),
      project: Type.Optional(
        Type.String({ description: 'Id or slug: judged by the guide of this project, not by the default.' }),
      ),
      ...thresholds,
    }),
    bodyLimit: 64 * 1024 * 1024,
    response: Type.Object({
      gate: LintGate,
      grade: GradeShape,
      findings: Type.Array(FindingShape),
      policy: Type.Object({
        verdict: oneOf(['pass', 'warn', 'blocked'], 'What the policy of the tenant says of the candidate.'),
        guide: Type.String(),
        guide_id: Type.String(),
        gates: Type.Array(Gate),
      }),
    }),
    errors: ['project-not-found'],
  }),
} as const
