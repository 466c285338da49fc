import { projectsApi, ProjectRecord } from '../../src/api/projects.ts'
import { versionsApi } from '../../src/api/versions.ts'
import { command } from '../command.ts'
import { renderFacts, shortTime } from '../table.ts'
import { versionTable } from '../version-table.ts'

export default command({
  summary: 'Show a project and its newest versions',
  examples: ['svc project show petstore'],
  arguments: [{ name: 'project', required: true, summary: 'id or slug' }],
  options: {},
  dataSchema: ProjectRecord,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project }
    const project = await call(projectsApi.get, { params })
    const versions = await call(versionsApi.list, { params, query: { limit: 20 } })
    return {
      data: project,
      text: () =>
        renderFacts([
          ['Project', project.slug],
          ['Name', project.name],
          ['Id', project.id],
          ['About', project.description?.split('\n')[0] ?? null],
          ['Created', shortTime(project.created_at)],
          ['Versions', `${project.versions_count} (${project.published_versions_count} published)`],
        ]) + (versions.items.length === 0 ? '' : `\n${versionTable(versions.items)}`),
    }
  },
})
