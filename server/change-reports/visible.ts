import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { inTenant } from '../../db/conditions.ts'
import { changeReports, changeReportTemplates, versions } from '../../db/tables.gen.ts'
import { consumerNames, publicModel, withoutNames } from '../../src/change-report/public.ts'
import { renderTemplate, systemTemplate, type TemplateTexts } from '../../src/change-report/template.ts'
import type { VersionRow } from '../records/door.ts'

type ReportRow = typeof changeReports.$inferSelect

/** The columns with texts that may name consumers: who asks gets the text for its reader instead. */
type Written =
  | 'headerSnapshot'
  | 'renderedBody'
  | 'footnoteSnapshot'
  | 'editedHeaderSnapshot'
  | 'editedRenderedBody'
  | 'editedFootnoteSnapshot'

/** A report that a reader may see, with the text for this reader. */
interface VisibleReport {
  readonly report: Omit<ReportRow, Written>
  readonly text: string
  readonly version: VersionRow
}

const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n')

/** What a report says to members, as it was edited last. */
const textForMembers = (row: ReportRow): string =>
  joined([
    row.editedHeaderSnapshot ?? row.headerSnapshot,
    row.editedRenderedBody ?? row.renderedBody,
    row.editedFootnoteSnapshot ?? row.footnoteSnapshot,
  ])

/** What a report says to everybody else: the same, without the names of consumers. */
function textForOthers(row: ReportRow, template: TemplateTexts): string {
  const names = consumerNames(row.model)
  if (names.length === 0) return textForMembers(row)
  const made = renderTemplate(template, publicModel(row.model))
  const part = (edited: string | null, full: string, hidden: string): string =>
    withoutNames(edited ?? hidden, names, { full, hidden })
  return joined([
    part(row.editedHeaderSnapshot, row.headerSnapshot, made.header),
    part(row.editedRenderedBody, row.renderedBody, made.body),
    part(row.editedFootnoteSnapshot, row.footnoteSnapshot, made.footnote),
  ])
}

/** The templates that reports were rendered with; one that is gone is replaced by that of the system. */
async function templatesOf(
  read: Reader,
  tenantId: string,
  reports: readonly ReportRow[],
): Promise<(id: string) => TemplateTexts> {
  const ids = [...new Set(reports.map(({ templateVersionId }) => templateVersionId))]
  const rows =
    ids.length === 0
      ? []
      : await read
          .select()
          .from(changeReportTemplates)
          .where(inTenant(changeReportTemplates, tenantId, inArray(changeReportTemplates.id, ids)))
  const known = new Map(rows.map((row) => [row.id, row]))
  return (id) => known.get(id) ?? systemTemplate
}

/**
 * The change reports of a project, or of all, that a reader may see, newest first: of public versions, for members of all. Only
 * members read the names of consumers.
 */
export async function visibleReports(
  read: Reader,
  tenantId: string,
  {
    projectId,
    isMember,
    limit,
  }: { readonly projectId: string | null; readonly isMember: boolean; readonly limit: number },
): Promise<VisibleReport[]> {
  const rows = await read
    .select({ report: changeReports, version: versions })
    .from(changeReports)
    .innerJoin(versions, and(eq(versions.id, changeReports.versionId), eq(versions.tenantId, changeReports.tenantId)))
    .where(
      inTenant(
        changeReports,
        tenantId,
        projectId === null ? undefined : eq(changeReports.projectId, projectId),
        ne(versions.status, 'draft'),
        isMember ? undefined : eq(versions.visibility, 'public'),
      ),
    )
    .orderBy(desc(changeReports.createdAt), desc(changeReports.id))
    .limit(limit)
  if (isMember) return rows.map((row) => ({ ...row, text: textForMembers(row.report) }))
  const reports = rows.map(({ report }) => report)
  const template = await templatesOf(
    read,
    tenantId,
    reports.filter(({ model }) => consumerNames(model).length > 0),
  )
  return rows.map((row) => ({ ...row, text: textForOthers(row.report, template(row.report.templateVersionId)) }))
}
