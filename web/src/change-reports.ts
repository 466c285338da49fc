import { queryOptions } from '@tanstack/react-query'
import { type ChangeReport, changeReportsApi } from '../../src/api/change-reports.ts'
import type { Identity } from '../../src/api/auth.ts'
import type { VersionRecord } from '../../src/api/versions.ts'
import { call } from './call.ts'
import { queryClient, type VersionRef } from './queries.ts'
import { holds } from './session.ts'

export const reportParams = ({ tenant, project, version }: VersionRef) => ({
  tenant_slug: tenant,
  project_id: project,
  version_record_id: version,
})

export const reportQuery = (at: VersionRef) =>
  queryOptions({
    queryKey: ['change-report', at.tenant, at.project, at.version],
    queryFn: () => call(changeReportsApi.get, { params: reportParams(at) }),
  })

/** Takes over what the service made of a report. */
export const adoptReport = (at: VersionRef, report: ChangeReport): void => {
  queryClient.setQueryData(reportQuery(at).queryKey, report)
}

export const baselineModes = ['auto', 'initial', 'manual'] as const
export type BaselineMode = (typeof baselineModes)[number]

/** Against what a publication is told: nothing but the mode where it is not manual. */
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

export const reportPreviewQuery = (at: VersionRef, baseline: Baseline) =>
  queryOptions({
    queryKey: ['change-report-preview', at.tenant, at.project, at.version, baseline],
    queryFn: () => call(changeReportsApi.preview, { params: reportParams(at), body: baselineBody(baseline) }),
  })

/** The templates of a project, of its tenant and of the system. */
export const templatesQuery = (tenant: string, project: string) =>
  queryOptions({
    queryKey: ['change-report-templates', tenant, project],
    queryFn: async () => {
      const params = { tenant_slug: tenant }
      const [own, shared] = await Promise.all([
        call(changeReportsApi.listTemplates, { params, query: { project } }),
        call(changeReportsApi.listTemplates, { params }),
      ])
      return [...new Map([...own.items, ...shared.items].map((it) => [it.id, it])).values()]
    },
  })

/** The parts of a report, each with what was rendered and what somebody wrote over it. */
export const partsOf = (report: ChangeReport) =>
  [
    { name: 'Header', rendered: report.headerSnapshot ?? '', edited: report.editedHeaderSnapshot },
    { name: 'Body', rendered: report.renderedBody ?? '', edited: report.editedRenderedBody },
    { name: 'Footnote', rendered: report.footnoteSnapshot ?? '', edited: report.editedFootnoteSnapshot },
  ] as const

/** A report as one text: what is told, or what was rendered. */
export const reportText = (report: ChangeReport, asRendered = false): string =>
  partsOf(report)
    .map(({ rendered, edited }) => (asRendered ? rendered : (edited ?? rendered)))
    .filter((it) => it !== '')
    .join('\n\n')

/** Whether the reader may change what is told of a version: who made it, an Owner, or an Admin. */
export const mayEditReport = (identity: Identity | undefined, tenant: string, version: VersionRecord): boolean => {
  const role = identity?.memberships.find((it) => it.slug === tenant)?.role
  if (role === 'owner' || role === 'admin') return true
  const own = identity?.user ? `user:${identity.user.id}` : null
  return version.created_by !== null && version.created_by === own && holds(identity, tenant, 'versions:edit')
}
