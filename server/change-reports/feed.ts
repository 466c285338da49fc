import { writeFeed } from '../../src/change-report/feed.ts'
import { SvcError } from '../../src/errors.ts'
import type { Grant } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { findProject, type ProjectRow, urlsOf } from '../records/door.ts'
import { visibleReports } from './visible.ts'

const mostEntries = 50

const quiet = (error: unknown): null => {
  if (error instanceof SvcError && error.status === 404) return null
  throw error
}

/**
 * What was published of a project, as Atom: public versions for everyone, the others for members. Anyone who shows no
 * credentials gets the same 401 for everything else.
 * @throws SvcError `credentials-missing`, `project-not-found`
 */
export async function projectFeed(deps: Deps, grant: Grant, projectRef: string): Promise<string> {
  const { read } = deps.db
  const { tenant, principal, permissions } = grant
  const isMember = permissions.has('versions:view')
  const project: ProjectRow | null =
    tenant === null ? null : await findProject(read, tenant.id, projectRef).catch(quiet)
  const rows =
    tenant === null || project === null
      ? []
      : await visibleReports(read, tenant.id, { projectId: project.id, isMember, limit: mostEntries })
  if (!isMember && rows.length === 0 && principal === null) throw new SvcError('credentials-missing')
  if (tenant === null || project === null || (!isMember && rows.length === 0))
    throw new SvcError('project-not-found', { project: projectRef })
  const self = `${deps.publicUrl()}/v1/tenants/${encodeURIComponent(tenant.slug)}/projects/${encodeURIComponent(project.slug)}/changes.atom`
  return writeFeed({
    id: project.id,
    title: `${project.name}: published changes`,
    self,
    author: tenant.name,
    since: project.createdAt,
    entries: rows.map(({ report, text, version }) => ({
      id: report.id,
      title: `${project.name} ${version.label}: ${report.model.headline}`,
      text,
      link: urlsOf(deps.publicUrl(), tenant.slug, project.slug, version.slug).page,
      publishedAt: version.publishedAt ?? report.createdAt,
      updatedAt: report.updatedAt,
    })),
  })
}
