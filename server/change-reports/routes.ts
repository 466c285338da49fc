import { changeReportsApi } from '../../src/api/change-reports.ts'
import type { Deps } from '../kit/door.ts'
import { etagOf, isKnown, Reply, type Route, routesOf } from '../http/door.ts'
import { digestOf } from '../../db/content.ts'
import { projectFeed } from './feed.ts'
import { editReport, getReport, previewReport, regenerateReport } from './service.ts'
import { addTemplate, dropDefault, listTemplates, useTemplate } from './templates.ts'

/** The routes of change reports, their templates and the feed. */
export function changeReportRoutes(deps: Deps): Route[] {
  const refsOf = (params: { project_id: string; version_record_id: string }) => ({
    project: params.project_id,
    version: params.version_record_id,
  })
  return routesOf(changeReportsApi, {
    get: ({ params }, { grant }) => getReport(deps, grant, refsOf(params)),
    edit: ({ params, body }, { grant }) => editReport(deps, grant, refsOf(params), body),
    preview: ({ params, body }, { grant }) => previewReport(deps, grant, refsOf(params), body ?? {}),
    regenerate: ({ params, body }, { grant }) => regenerateReport(deps, grant, refsOf(params), body ?? {}),
    listTemplates: ({ query }, { grant }) => listTemplates(deps, grant, query?.project ?? null),
    addTemplate: ({ body }, { grant }) => addTemplate(deps, grant, body),
    useTemplate: ({ params }, { grant }) => useTemplate(deps, grant, params.template_version_id),
    dropDefault: async ({ query }, { grant }) => {
      await dropDefault(deps, grant, query?.project ?? null)
      return null
    },
    feed: async ({ params }, { grant, ifNoneMatch }) => {
      const text = await projectFeed(deps, grant, params.project_ref)
      const etag = etagOf(digestOf(new TextEncoder().encode(text)))
      // What a member reads must not be kept for others.
      const headers = {
        etag,
        'content-type': 'application/atom+xml; charset=utf-8',
        'cache-control': grant.principal === null ? 'public, max-age=60' : 'private, no-cache',
        vary: 'authorization, x-api-key',
      }
      if (isKnown(ifNoneMatch, etag)) return new Reply({ status: 304, headers, body: null })
      return new Reply({ headers, body: text })
    },
  })
}
