import type { Identity } from '../../../../src/api/auth.ts'
import type { ChangeReport } from '../../../../src/api/change-reports.ts'
import type { VersionRecord } from '../../../../src/api/versions.ts'
import { holds } from '../../session.ts'

/** The parts of a report, each as it was generated and as it was edited. */
export const partsOf = (report: ChangeReport) =>
  [
    { name: 'Header', rendered: report.headerSnapshot ?? '', edited: report.editedHeaderSnapshot },
    { name: 'Body', rendered: report.renderedBody ?? '', edited: report.editedRenderedBody },
    { name: 'Footnote', rendered: report.footnoteSnapshot ?? '', edited: report.editedFootnoteSnapshot },
  ] as const

/** A report as one text: with its edits, or as it was generated. */
export const reportText = (report: ChangeReport, asRendered = false): string =>
  partsOf(report)
    .map(({ rendered, edited }) => (asRendered ? rendered : (edited ?? rendered)))
    .filter((it) => it !== '')
    .join('\n\n')

/** Whether the reader may edit the report of a version: its author, an Owner, or an Admin. */
export const mayEditReport = (identity: Identity | undefined, tenant: string, version: VersionRecord): boolean => {
  const role = identity?.memberships.find((it) => it.slug === tenant)?.role
  if (role === 'owner' || role === 'admin') return true
  const own = identity?.user ? `user:${identity.user.id}` : null
  return version.created_by !== null && version.created_by === own && holds(identity, tenant, 'versions:edit')
}
