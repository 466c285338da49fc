import { Type, type Static } from '@sinclair/typebox'
import { ChangeCount } from './change-shapes.ts'
import { endpoint } from './endpoint.ts'
import { dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { versionStatuses } from './versions.ts'
import {
  appProjectPath,
  appTenantPath,
  person,
  projectParams,
  tenantParams,
  versionErrors,
  versionParams,
} from './kit.ts'

const grade = orNull(Type.String())
const score = orNull(Type.Number())
const severity = orNull(oneOf(['breaking', 'non-breaking', 'docs-only']))
const Other = Type.Object({ slug: Type.String(), label: Type.String() })

/** What a version is as a whole: what its document says about itself, and how it compares with the others. */
export const VersionOverview = titled(
  'VersionOverview',
  Type.Object({
    description: orNull(Type.String({ description: 'Markdown, cut after 100,000 characters.' })),
    servers: Type.Array(Type.String()),
    security: Type.Array(Type.String({ description: 'Name and kind, as "token: http bearer".' })),
    tags: Type.Array(
      Type.Object({ name: Type.String(), description: orNull(Type.String()), operations: Type.Integer() }),
    ),
    untagged: Type.Integer({ description: 'Operations without a tag.' }),
    deprecated: Type.Integer({ description: 'Operations that are deprecated.' }),
    created_by: orNull(Type.String({ description: 'Name of the person or key.' })),
    published_by: orNull(Type.String()),
    trend: Type.Array(Type.Object({ ...Other.properties, grade, score }), {
      description: 'The last 10 versions that have a score up to this one, oldest first.',
    }),
  }),
)
export type VersionOverview = Static<typeof VersionOverview>

/** What was found by linting and comparing a version: it may take as long as these do. */
export const VersionAssessment = titled(
  'VersionAssessment',
  Type.Object({
    grade,
    score,
    guide: Type.Object({ id: Type.String(), name: Type.String() }),
    findings: Type.Object({
      error: Type.Integer(),
      warning: Type.Integer(),
      info: Type.Integer(),
      hint: Type.Integer(),
    }),
    changes: orNull(
      Type.Object(
        { base: Other, max_severity: severity, counts: ChangeCount },
        { description: 'Since the version before it. Null: there is none.' },
      ),
    ),
    consumers: Type.Object({
      total: Type.Integer(),
      broken: Type.Array(Type.String(), { description: 'Consumers that these changes break.' }),
      unknown: Type.Array(Type.String(), { description: 'Consumers for which it cannot be decided.' }),
    }),
  }),
)
export type VersionAssessment = Static<typeof VersionAssessment>

export const TimelineVersion = titled(
  'TimelineVersion',
  Type.Object({
    ...Other.properties,
    status: oneOf(versionStatuses),
    grade,
    score,
    operations: Type.Integer(),
    created_at: dateTime(),
    published_at: orNull(dateTime()),
    deprecated_at: orNull(dateTime()),
    sunset_at: orNull(dateTime()),
    retired_at: orNull(dateTime()),
    base: orNull(Other),
    severity,
    counts: orNull(ChangeCount),
    added: orNull(Type.Integer({ description: 'Operations that the base does not have. Null: not counted.' })),
    removed: orNull(Type.Integer({ description: 'Operations that only the base has. Null: not counted.' })),
  }),
)
export type TimelineVersion = Static<typeof TimelineVersion>

const version = `${appProjectPath}/versions/{version_ref}`

/** What pages show of versions beside their documents. */
export const insightsApi = {
  overview: endpoint({
    id: 'insights.overview',
    origin: 'own',
    method: 'GET',
    path: `${version}/overview`,
    summary: 'Get an overview of a version',
    access: person('versions:view'),
    params: Type.Object(versionParams),
    response: VersionOverview,
    errors: [...versionErrors, 'analysis-stopped'],
  }),
  assessment: endpoint({
    id: 'insights.assessment',
    origin: 'own',
    method: 'GET',
    path: `${version}/assessment`,
    summary: 'Count the findings of a version, its changes and the consumers that they affect',
    access: person('versions:view'),
    params: Type.Object(versionParams),
    response: VersionAssessment,
    errors: [...versionErrors, 'analysis-stopped'],
  }),
  grading: endpoint({
    id: 'insights.grading',
    origin: 'own',
    method: 'GET',
    path: `${appTenantPath}/grading`,
    summary: 'Get which versions are being linted again',
    access: person('versions:view'),
    params: Type.Object(tenantParams),
    response: Type.Object({
      items: Type.Array(
        Type.Object({
          project_id: orNull(Type.String({ description: 'Null: of several projects.' })),
          done: Type.Integer(),
          total: Type.Integer({ description: '0: it has not begun.' }),
        }),
      ),
    }),
    errors: [],
  }),
  timeline: endpoint({
    id: 'insights.timeline',
    origin: 'own',
    method: 'GET',
    path: `${appProjectPath}/timeline`,
    summary: 'Get the newest 100 versions of a project with what each changed, newest first',
    access: person('versions:view'),
    params: Type.Object(projectParams),
    response: Type.Object({ items: Type.Array(TimelineVersion), total: Type.Integer() }),
    errors: ['project-not-found'],
  }),
} as const
