import { queryOptions } from '@tanstack/react-query'
import { insightsApi } from '../../../../src/api/insights.ts'
import { call } from '../../call.ts'
import { type VersionRef, versionParams, versionsKey } from './queries.ts'

/** What a version is as a whole. */
export const overviewQuery = (ref: VersionRef) =>
  queryOptions({
    queryKey: [...versionsKey(ref.tenant), 'overview', ref.project, ref.version],
    queryFn: () => call(insightsApi.overview, { params: versionParams(ref) }),
  })

/** What linting and comparing it found, in numbers. */
export const assessmentQuery = (ref: VersionRef) =>
  queryOptions({
    queryKey: [...versionsKey(ref.tenant), 'assessment', ref.project, ref.version],
    queryFn: () => call(insightsApi.assessment, { params: versionParams(ref) }),
  })

/** The newest versions of a project with what each changed. */
export const timelineQuery = (tenant: string, project: string) =>
  queryOptions({
    queryKey: [...versionsKey(tenant), 'timeline', project],
    queryFn: () => call(insightsApi.timeline, { params: { tenant_slug: tenant, project_ref: project } }),
  })
