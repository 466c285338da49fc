import type { ProjectRecord } from '../../src/api/projects.ts'
import { renderFacts, shortTime } from '../table.ts'

/** A project as a person reads it. */
export const projectFacts = (project: ProjectRecord): string =>
  renderFacts([
    ['Project', project.slug],
    ['Name', project.name],
    ['Id', project.id],
    ['About', project.description?.split('\n')[0] ?? null],
    ['Owner', project.owner],
    ['Lifecycle', project.lifecycle],
    ['Tags', project.tags.length === 0 ? null : project.tags.join(', ')],
    ...project.links.map(({ title, url }): [string, string] => [title ?? 'Link', url]),
    ['Created', shortTime(project.created_at)],
    ['Versions', `${project.versions_count} (${project.published_versions_count} published)`],
  ])
