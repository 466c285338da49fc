import { projectsApi, ProjectRecord } from '../../src/api/projects.ts'
import { versionsApi } from '../../src/api/versions.ts'
import { command } from '../../cli/declare.ts'
import { projectFacts } from '../../cli/project/facts.ts'
import { versionTable } from '../../cli/version/table.ts'

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
      text: () => projectFacts(project) + (versions.items.length === 0 ? '' : `\n${versionTable(versions.items)}`),
    }
  },
})
