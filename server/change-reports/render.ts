import { changeModelOf, type ChangeModel } from '../../src/change-report/model.ts'
import { renderTemplate, type TemplateTexts } from '../../src/change-report/template.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import type { ProjectImpact } from '../analysis/door.ts'
import type { ProjectRow, VersionRow } from '../records/door.ts'

/** What a version is reported against: null for a first publication. */
export interface ReportBaseline {
  readonly version: VersionRow
  readonly result: DiffResult
}

/** The model of a report. */
export function modelOf(
  project: ProjectRow,
  version: VersionRow,
  baseline: ReportBaseline | null,
  impact: ProjectImpact | null,
): ChangeModel {
  return changeModelOf({
    project: { id: project.id, slug: project.slug, name: project.name },
    from: baseline === null ? null : { revisionId: baseline.version.id, label: baseline.version.label },
    to: { revisionId: version.id, label: version.label },
    changes: impact?.changes ?? baseline?.result.changes ?? [],
    verdict: baseline?.result.verdict ?? 'safe',
    consumers: impact?.consumers ?? [],
  })
}

/** The columns that rendering fills. */
export function renderedOf(template: TemplateTexts & { readonly id: string }, model: ChangeModel) {
  const { header, body, footnote } = renderTemplate(template, model)
  return {
    model,
    templateVersionId: template.id,
    headerSnapshot: header,
    renderedBody: body,
    footnoteSnapshot: footnote,
  }
}
