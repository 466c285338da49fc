import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { Excerpt } from './excerpt.ts'
import { SkippedRule } from './lint.ts'
import { oneOf, orNull, titled } from '../kernel/shapes.ts'
import { FindingShape, GradeShape, pageOf } from './shapes.ts'
import { may, versionErrors, versionParams } from './kit.ts'

/** The severities of findings, the worst first. */
export const severities = ['error', 'warning', 'info', 'hint'] as const

const filter = {
  q: Type.Optional(Type.String({ description: 'Part of a message, rule, pointer or place, in any case.' })),
  severity: Type.Optional(oneOf(severities)),
  rule: Type.Optional(Type.String({ minLength: 1, description: 'The id of a rule.' })),
  place: Type.Optional(
    Type.String({ minLength: 1, description: 'An operation, a path, a component or a field, as a summary names it.' }),
  ),
  by: Type.Optional(
    oneOf(
      ['rule', 'place', 'text'],
      'The order: by rule (the default) or by place, the worst and largest groups first, or by text, as they are in the document.',
    ),
  ),
}

const Counted = Type.Object({
  total: Type.Integer(),
  items: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() }), {
    description: 'The most frequent ones, 300 at most.',
  }),
})

export const FindingGroup = titled(
  'FindingGroup',
  Type.Object({
    name: Type.String({ description: 'The id of the rule, or the place.' }),
    severity: oneOf(severities, 'The worst severity of its findings.'),
    count: Type.Integer(),
    documentation_url: orNull(Type.String()),
  }),
)

export const LintSummary = titled(
  'LintSummary',
  Type.Object({
    version_id: Type.String(),
    digest: Type.String({ description: 'Of the document that was linted.' }),
    guide: Type.String(),
    guide_id: Type.String(),
    grade: GradeShape,
    unmatched_rules: Type.Array(Type.String()),
    skipped_rules: Type.Array(SkippedRule),
    total: Type.Integer({ description: 'All findings.' }),
    matching: Type.Integer({ description: 'Those that match every filter.' }),
    severities: Type.Object(
      { error: Type.Integer(), warning: Type.Integer(), info: Type.Integer(), hint: Type.Integer() },
      { description: 'Those that match every filter but that of the severity.' },
    ),
    rules: Counted,
    places: Counted,
    groups: Type.Array(FindingGroup, {
      description: 'What the matching findings are grouped by, in their order; none with by=text. The first 2,000.',
    }),
    more_groups: Type.Integer({ description: 'How many groups are left out.' }),
  }),
)
export type LintSummary = Static<typeof LintSummary>

export const PlacedFinding = titled(
  'PlacedFinding',
  Type.Object({
    finding: FindingShape,
    excerpt: orNull({
      ...Excerpt,
      description: 'The lines around it; null where they were not asked for or are in another file.',
    }),
  }),
)
export type PlacedFinding = Static<typeof PlacedFinding>

const one = '/v1/lint/{tenant_slug}/catalog/{project_ref}/{version_ref}'

const access = {
  ...may('versions:view'),
  keyScope: 'lint:read',
} as const
const errors = [...versionErrors, 'analysis-stopped'] as const

/** The lint report of a version in parts: for documents whose whole report has megabytes. */
export const lintFindingsApi = {
  summary: endpoint({
    id: 'lint.summary',
    origin: 'own',
    method: 'GET',
    path: `${one}/summary`,
    summary: 'Get the grade of a stored version with the number of its findings by severity, rule and place',
    access,
    params: Type.Object(versionParams),
    query: Type.Object(filter),
    response: LintSummary,
    errors,
  }),
  findings: endpoint({
    id: 'lint.findings',
    origin: 'own',
    method: 'GET',
    path: `${one}/findings`,
    summary: 'List the findings of a stored version, with the lines around each where they are asked for',
    access,
    params: Type.Object(versionParams),
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000, default: 0 })),
      lines: Type.Optional(Type.Boolean({ description: 'Whether to answer the lines around each finding.' })),
      ...filter,
    }),
    response: pageOf(PlacedFinding),
    errors,
  }),
} as const
