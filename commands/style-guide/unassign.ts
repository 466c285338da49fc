import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { command } from '../../cli/declare.ts'
import { tenantAddress } from '../../cli/style-guide/shared.ts'

export default command({
  summary: 'Remove the style guide of a project; the default applies again',
  examples: ['svc style-guide unassign petstore'],
  arguments: [{ name: 'project', summary: 'id or slug of a project', required: true }],
  options: {},
  async run({ args, connection }) {
    const { call, params } = await tenantAddress(connection)
    const done = await call(styleGuidesApi.unassign, { params: { ...params, project_id: args.project } })
    const was = done['status'] === 'unchanged' ? 'had no guide of its own' : 'follows the default again'
    return { data: done, text: `${args.project} ${was}.\n` }
  },
})
