import { and, desc, eq, ne } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { inTenant } from '../../db/conditions.ts'
import { changeReports, versions } from '../../db/tables.gen.ts'
import type { VersionRow } from '../versions/record.ts'

export type ReportRow = typeof changeReports.$inferSelect

/** What a report says, as it was edited last. */
export const reportText = (report: ReportRow): string =>
  [
    report.editedHeaderSnapshot ?? report.headerSnapshot,
    report.editedRenderedBody ?? report.renderedBody,
    report.editedFootnoteSnapshot ?? report.footnoteSnapshot,
  ]
    .filter((text) => text !== '')
    .join('\n\n')

/** The change reports of a project, or of all, that a reader may see, newest first: of public versions, for members of all. */
export async function visibleReports(
  read: Reader,
  tenantId: string,
  {
    projectId,
    isMember,
    limit,
  }: { readonly projectId: string | null; readonly isMember: boolean; readonly limit: number },
): Promise<{ readonly report: ReportRow; readonly version: VersionRow }[]> {
  return read
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
}
