import { queryOptions } from '@tanstack/react-query'
import { type ChangeReport, changeReportsApi } from '../../../../src/api/change-reports.ts'
import { call } from '../../call.ts'
import type { VersionRef } from '../catalog/versions.ts'
import { queryClient } from '../../query-client.ts'
import type { BaselineMode } from '../../../../src/api/baseline-modes.ts'
import type { Identity } from '../../../../src/api/auth.ts'
import type { VersionRecord } from '../../../../src/api/versions.ts'
import { holds } from '../../session.ts'

/** The baseline of the report: its mode, and the version if the mode is manual. */
export interface Baseline {
  readonly mode: BaselineMode
  /** The id of the version; "" while none is chosen. */
  readonly revision: string
}

export const baselineBody = ({ mode, revision }: Baseline) =>
  mode === 'auto'
    ? {}
    : {
        changeReportBaselineMode: mode,
        ...(mode === 'manual' ? { changeReportBaselineRevisionId: revision } : {}),
      }

export const reportParams = ({ tenant, project, version }: VersionRef) => ({
  tenant_slug: tenant,
  project_id: project,
  version_record_id: version,
})

/** The first part of the key of everything that is read about change reports. */
const changeReportsKey = (tenant: string) => ['change-reports', tenant] as const

export const reportQuery = (at: VersionRef) =>
  queryOptions({
    queryKey: [...changeReportsKey(at.tenant), 'one', at.project, at.version],
    queryFn: () => call(changeReportsApi.get, { params: reportParams(at) }),
  })

/** Takes over what the service made of a report. */
export const adoptReport = (at: VersionRef, report: ChangeReport): void => {
  queryClient.setQueryData(reportQuery(at).queryKey, report)
}

export const reportPreviewQuery = (at: VersionRef, baseline: Baseline) =>
  queryOptions({
    queryKey: [...changeReportsKey(at.tenant), 'preview', at.project, at.version, baseline],
    queryFn: () => call(changeReportsApi.preview, { params: reportParams(at), body: baselineBody(baseline) }),
  })

/** The templates of a project, of its organization and of the system. */
export const templatesQuery = (tenant: string, project: string) =>
  queryOptions({
    queryKey: [...changeReportsKey(tenant), 'templates', project],
    queryFn: async () => {
      const params = { tenant_slug: tenant }
      const [own, shared] = await Promise.all([
        call(changeReportsApi.listTemplates, { params, query: { project } }),
        call(changeReportsApi.listTemplates, { params }),
      ])
      return [...new Map([...own.items, ...shared.items].map((it) => [it.id, it])).values()]
    },
  })

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
