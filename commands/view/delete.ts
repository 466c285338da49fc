import { projectViewsApi } from '../../src/api/project-views.ts'
import { command } from '../../cli/declare.ts'
import { viewArgument } from '../../cli/view/shared.ts'

export default command({
  summary: 'Delete a saved view; its projects stay',
  examples: ['svc view delete Failing'],
  arguments: [viewArgument],
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), view_ref: args.view }
    const { id, name } = await call(projectViewsApi.get, { params })
    await call(projectViewsApi.remove, { params: { ...params, view_ref: id } })
    return { data: null, text: `Deleted the view ${name}\n` }
  },
})
