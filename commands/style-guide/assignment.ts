import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { command } from '../../cli/declare.ts'
import { tenantAddress } from '../../cli/style-guide/shared.ts'
import { renderFacts } from '../../cli/table.ts'

export default command({
  summary: 'Show which style guide applies to a project, and why',
  examples: ['svc style-guide assignment petstore'],
  arguments: [{ name: 'project', summary: 'id or slug of a project', required: true }],
  options: {},
  async run({ args, connection }) {
    const { call, params } = await tenantAddress(connection)
    const found = await call(styleGuidesApi.assignment, { params: { ...params, project_id: args.project } })
    return {
      data: found,
      text: () =>
        renderFacts([
          ['Project', found.projectSlug],
          ['Guide', found.guideName],
          [
            'Because',
            found.reason === 'assignment' ? 'it is assigned to the project' : 'it is the default of the organization',
          ],
        ]),
    }
  },
})
