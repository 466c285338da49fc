import { projectViewsApi } from '../../src/api/project-views.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { viewArgument, viewFacts } from '../../cli/view/shared.ts'

export default command({
  summary: 'Rename a saved view, share it or take it back, or make it your default',
  description: 'To replace the filter of a view, save it again with "svc view save".',
  examples: ['svc view update Failing --name "Grade F" --share', 'svc view update Failing --no-default'],
  arguments: [viewArgument],
  options: {
    name: { type: 'string', placeholder: 'NAME', summary: 'its new name' },
    share: { type: 'boolean', default: null, summary: 'share it with the organization; --no-share makes it private' },
    default: { type: 'boolean', default: null, summary: 'open the list of projects with it, for you' },
  },
  dataSchema: projectViewsApi.create.response,
  async run({ args, options, connection }) {
    const { name, share, default: isDefault } = options
    if (name === undefined && share === null && isDefault === null)
      throw new SvcError('usage', {
        reason: 'Give what to change: --name, --share, --no-share, --default or --no-default.',
      })
    const { call, tenant } = await connection()
    const tenant_slug = await tenant()
    const { id } = await call(projectViewsApi.get, { params: { tenant_slug, view_ref: args.view } })
    const params = { tenant_slug, view_ref: id }
    if (name !== undefined || share !== null)
      await call(projectViewsApi.update, {
        params,
        body: {
          ...(name === undefined ? {} : { name }),
          ...(share === null ? {} : { visibility: share ? 'shared' : 'private' }),
        },
      })
    if (isDefault !== null)
      await call(projectViewsApi.setDefault, { params: { tenant_slug }, body: { view: isDefault ? id : null } })
    const view = await call(projectViewsApi.get, { params })
    return { data: view, text: () => viewFacts(view) }
  },
})
