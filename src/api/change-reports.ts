import { baselineModes } from './baseline-modes.ts'
import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import {
  idParam,
  may,
  person,
  projectIdParams,
  projectPath,
  tenantParams,
  tenantPath,
  versionErrors,
  projectParams,
} from './kit.ts'

const nullable = orNull(Type.String())
const Model = Type.Record(Type.String(), Type.Unknown(), { description: 'Data that the text was rendered from.' })

export const ChangeReport = titled(
  'VersionChangeReportOut',
  Type.Object({
    id: Type.String(),
    tenantId: Type.String(),
    projectId: Type.String(),
    publishedRevisionId: Type.String(),
    changeModelJson: Model,
    baselineRevisionId: nullable,
    renderedBody: nullable,
    headerSnapshot: nullable,
    footnoteSnapshot: nullable,
    editedRenderedBody: nullable,
    editedHeaderSnapshot: nullable,
    editedFootnoteSnapshot: nullable,
    effectiveRenderedBody: nullable,
    effectiveHeaderSnapshot: nullable,
    effectiveFootnoteSnapshot: nullable,
    editedAt: orNull(dateTime()),
    editedBy: nullable,
    templateVersionId: nullable,
    renderedAt: orNull(dateTime()),
    regeneratedAt: orNull(dateTime()),
    createdAt: orNull(dateTime()),
    updatedAt: orNull(dateTime()),
  }),
)
export type ChangeReport = Static<typeof ChangeReport>

export const ChangeReportPreview = titled(
  'VersionPublishChangeReportPreviewOut',
  Type.Object({
    headerSnapshot: Type.String(),
    renderedBody: Type.String(),
    footnoteSnapshot: Type.String(),
    fromVersionLabel: Type.String({ description: 'Empty for a first publication.' }),
    toVersionLabel: Type.String(),
    changeModelJson: Model,
    baselineRevisionId: nullable,
    templateVersionId: nullable,
    initialPublication: Type.Boolean(),
  }),
)
export type ChangeReportPreview = Static<typeof ChangeReportPreview>

export const ReportTemplate = titled(
  'ReportTemplate',
  Type.Object({
    id: Type.String({ description: 'Id of this version of the template: templateVersionId.' }),
    scope: oneOf(['system', 'tenant', 'project']),
    projectId: nullable,
    version: Type.String(),
    name: Type.String(),
    header: Type.String(),
    body: Type.String(),
    footnote: Type.String(),
    isDefault: Type.Boolean({
      description: 'Whether the organization, or the named project, renders reports with it.',
    }),
    createdBy: nullable,
    createdAt: orNull(dateTime()),
  }),
)
export type ReportTemplate = Static<typeof ReportTemplate>

const longText = (description: string) => Type.String({ maxLength: 1_000_000, description })
const edit = (what: string) => Type.Optional(orNull(longText(`${what}, whole; null takes the override away.`)))
const templateText = (description: string) => Type.String({ maxLength: 100_000, description })

const params = {
  ...projectIdParams,
  version_record_id: Type.String({ minLength: 1, description: 'Id, label or slug of a version.' }),
}
const base = '/v1/versions/{tenant_slug}/{project_id}/{version_record_id}/change-report'
const templates = `${tenantPath}/change-report-templates`
const byProject = Type.Object({
  project: Type.Optional(
    Type.String({ minLength: 1, description: 'Id or slug of a project; the organization when omitted.' }),
  ),
})

/** Change reports of published versions, their templates, and the feed. */
export const changeReportsApi = {
  get: endpoint({
    id: 'change-reports.get',
    origin: 'spec',
    method: 'GET',
    path: base,
    summary: 'Get the change report of a published version',
    access: may('versions:view'),
    params: Type.Object(params),
    response: ChangeReport,
    errors: [...versionErrors, 'change-report-not-found'],
  }),
  edit: endpoint({
    id: 'change-reports.edit',
    origin: 'spec',
    method: 'PATCH',
    path: base,
    summary: 'Edit a change report; allowed for the creator of the version and administrators',
    access: person('versions:edit'),
    params: Type.Object(params),
    body: titled(
      'VersionChangeReportPatch',
      bodyOf({
        editedRenderedBody: edit('The body'),
        editedHeaderSnapshot: edit('The header'),
        editedFootnoteSnapshot: edit('The footnote'),
        clearEdits: Type.Optional(orNull(Type.Boolean({ description: 'Removes every edit.' }))),
      }),
    ),
    bodyLimit: 12 * 1024 * 1024,
    response: ChangeReport,
    errors: [...versionErrors, 'change-report-not-found', 'creator-required'],
  }),
  preview: endpoint({
    id: 'change-reports.publish-preview',
    origin: 'spec',
    method: 'POST',
    path: `${base}/publish-preview`,
    summary: 'Preview the change report of a publication; nothing is stored',
    access: person('versions:publish'),
    params: Type.Object(params),
    body: titled(
      'VersionPublishChangeReportPreviewRequest',
      bodyOf({
        changeReportBaselineMode: Type.Optional(oneOf(baselineModes)),
        changeReportBaselineRevisionId: Type.Optional(nullable),
      }),
    ),
    bodyOptional: true,
    response: ChangeReportPreview,
    errors: [...versionErrors, 'baseline-invalid', 'analysis-stopped'],
  }),
  regenerate: endpoint({
    id: 'change-reports.regenerate',
    origin: 'spec',
    method: 'POST',
    path: `${base}/regenerate`,
    summary: 'Render a change report again; allowed for the creator of the version and administrators',
    access: person('versions:edit'),
    params: Type.Object(params),
    body: titled(
      'VersionChangeReportRegenerateRequest',
      bodyOf({
        templateVersionId: Type.Optional(nullable),
        discardUserEdits: Type.Optional(
          Type.Boolean({ description: 'False: edits stay in effect over the new text.' }),
        ),
      }),
    ),
    bodyOptional: true,
    response: ChangeReport,
    errors: [...versionErrors, 'change-report-not-found', 'creator-required', 'template-not-found', 'analysis-stopped'],
  }),
  listTemplates: endpoint({
    id: 'change-reports.list-templates',
    origin: 'own',
    method: 'GET',
    path: templates,
    summary:
      'List the templates of change reports, newest first; those of a named project precede those of the organization',
    access: may('versions:view'),
    params: Type.Object(tenantParams),
    query: byProject,
    response: Type.Object({ items: Type.Array(ReportTemplate), total: Type.Integer() }),
    errors: ['project-not-found'],
  }),
  addTemplate: endpoint({
    id: 'change-reports.add-template',
    origin: 'own',
    method: 'POST',
    path: templates,
    summary: 'Add a version of the template of an organization or project and use it from now on',
    access: may('style_guides:edit'),
    params: Type.Object(tenantParams),
    body: bodyOf({
      project: Type.Optional(nullable),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      header: templateText('Markdown with {{fields}}, {{#lists}}…{{/lists}} and {{^lists}}…{{/lists}}.'),
      body: templateText('Template, as for subject.'),
      footnote: templateText('Template, as for subject.'),
    }),
    status: 201,
    response: ReportTemplate,
    errors: ['project-not-found', 'template-invalid'],
  }),
  useTemplate: endpoint({
    id: 'change-reports.use-template',
    origin: 'own',
    method: 'PUT',
    path: `${templates}/{template_version_id}/default`,
    summary: 'Use an earlier version of a template again',
    access: may('style_guides:edit'),
    params: Type.Object({ ...tenantParams, template_version_id: idParam }),
    response: ReportTemplate,
    errors: ['template-not-found'],
  }),
  dropDefault: endpoint({
    id: 'change-reports.drop-default-template',
    origin: 'own',
    method: 'DELETE',
    path: `${templates}/default`,
    summary: 'Reset to the inherited template: the one of the organization, or the builtin one',
    access: may('style_guides:edit'),
    params: Type.Object(tenantParams),
    query: byProject,
    status: 204,
    response: Type.Null(),
    errors: ['project-not-found'],
  }),
  feed: endpoint({
    id: 'change-reports.feed',
    origin: 'own',
    method: 'GET',
    path: `${projectPath}/changes.atom`,
    summary: 'Get the published versions of a project as an Atom feed (RFC 4287), newest first',
    access: {
      anonymous: true,
      reason: 'public versions are for everyone; private ones only for members',
      credentials: 'optional',
    },
    params: Type.Object(projectParams),
    query: Type.Object({
      api_key: Type.Optional(Type.String({ description: 'An API key, for links: the same as the header X-API-Key.' })),
    }),
    response: Type.Unknown(),
    produces: ['application/atom+xml'],
    answerHeaders: ['etag'],
    errors: ['credentials-missing', 'project-not-found'],
  }),
} as const
