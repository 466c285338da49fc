import { Type } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { oneOf, orNull, titled } from '../kernel/shapes.ts'
import { FindingShape, GradeShape } from './shapes.ts'
import { ToolTokens } from './tool-tokens.ts'
import { idParam, may, tenantParams, versionErrors, versionParams } from './kit.ts'

export const SkippedRule = Type.Object({ code: Type.String(), reason: Type.String() })

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
    skipped_rules: Type.Array(SkippedRule, {
      description: 'Rules that are on and could not run, each with the reason.',
    }),
  }),
)
const McpLintReport = titled(
  'McpLintReport',
  Type.Object({
    endpoint_id: Type.String(),
    fingerprint: Type.String({
      description: 'Of the surface that was checked: what was observed, else what is declared.',
    }),
    guide: Type.String(),
    guide_id: Type.String(),
    grade: GradeShape,
    tools: orNull(ToolTokens),
    findings: Type.Array(FindingShape),
    unmatched_rules: Type.Array(Type.String()),
    skipped_rules: Type.Array(SkippedRule),
  }),
)
/** What the thresholds of a caller say of a grade and findings. */
export const LintGate = titled(
  'LintGate',
  Type.Object({
    passed: Type.Boolean(),
    min_grade: orNull(Type.String()),
    fail_on: orNull(Type.String()),
    reasons: Type.Array(Type.String()),
  }),
)
/** Thresholds that a caller names; without any, errors fail. */
export const thresholds = {
  min_grade: Type.Optional(oneOf(['A', 'B', 'C', 'D', 'F'])),
  fail_on: Type.Optional(oneOf(['error', 'warning', 'info'])),
}
const access = {
  ...may('versions:view'),
  keyScope: 'lint:read',
  agentTool: 'lint.catalog',
} as const
const ofServer = {
  access: { ...may('projects:view'), keyScope: 'lint:read' },
  params: Type.Object({ ...tenantParams, endpoint_id: idParam }),
  errors: ['mcp-endpoint-not-found', 'mcp-surface-not-found', 'analysis-stopped'],
} as const
const errors = [...versionErrors, 'analysis-stopped'] as const

/** Lint reports of stored versions and of MCP servers; those of candidates are in `preflight.ts`. */
export const lintApi = {
  version: endpoint({
    id: 'lint.version',
    origin: 'own',
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
    origin: 'own',
    method: 'GET',
    path: '/v1/lint/{tenant_slug}/catalog/{project_ref}/{version_ref}/gate',
    summary: 'Check a stored version against thresholds; without any, errors fail',
    access,
    params: Type.Object(versionParams),
    query: Type.Object(thresholds),
    response: Type.Object({ gate: LintGate, grade: GradeShape }),
    errors,
  }),
  mcp: endpoint({
    id: 'lint.mcp',
    origin: 'own',
    method: 'GET',
    path: '/v1/lint/{tenant_slug}/mcp/{endpoint_id}',
    summary: 'Lint what an MCP server of the catalogue offers',
    description:
      'What was observed last is checked, else what is declared. Paths and pointers are those of the lists that it sends.',
    ...ofServer,
    response: McpLintReport,
  }),
  mcpGate: endpoint({
    id: 'lint.mcp-gate',
    origin: 'own',
    method: 'GET',
    path: '/v1/lint/{tenant_slug}/mcp/{endpoint_id}/gate',
    summary: 'Check what an MCP server offers against thresholds; without any, errors fail',
    ...ofServer,
    query: Type.Object(thresholds),
    response: Type.Object({ gate: LintGate, grade: GradeShape, tools: orNull(ToolTokens) }),
  }),
} as const
