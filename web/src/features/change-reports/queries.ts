import { queryOptions } from '@tanstack/react-query'
import { type ChangeReport, changeReportsApi } from '../../../../src/api/change-reports.ts'
import { call } from '../../call.ts'
import { type VersionRef } from '../versions/queries.ts'
import { queryClient } from '../../query-client.ts'
import { type Baseline, baselineBody } from './baseline.ts'

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
