import { projectViewsApi } from '../../src/api/project-views.ts'
import { projectOrders } from '../../src/api/projects.ts'
import { command } from '../../cli/declare.ts'
import { filterOf, filterOptions } from '../../cli/project/filter.ts'
import { viewFacts } from '../../cli/view/shared.ts'

export default command({
  summary: 'Save a view of the list of projects, or replace the filter of the one with this name',
  description:
    'A view is private unless --share is given. "svc project list --view NAME" and the application list its projects.',
  examples: [
    'svc view save "Failing" --grade F --sort updated',
    'svc view save "Without a draft" --owner payments --draft no --share --default',
  ],
  arguments: [{ name: 'name', required: true, summary: 'name of the view' }],
  options: {
    ...filterOptions,
    sort: {
      type: 'string',
      placeholder: 'BY',
      choices: [...projectOrders],
      summary: 'created (the default) and updated: newest first; grade: worst first',
    },
    share: { type: 'boolean', summary: 'share it with the organization' },
    default: { type: 'boolean', summary: 'open the list of projects with it from now on, for you' },
  },
  dataSchema: projectViewsApi.create.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant() }
    const filter = { ...filterOf(options), ...(options.sort === undefined ? {} : { sort: options.sort }) }
    const visibility = options.share ? 'shared' : 'private'
    const { items } = await call(projectViewsApi.list, { params })
    const known = items.find((view) => view.name === args.name && view.visibility === visibility)
    const saved =
      known === undefined
        ? await call(projectViewsApi.create, { params, body: { name: args.name, visibility, filter } })
        : await call(projectViewsApi.update, { params: { ...params, view_ref: known.id }, body: { filter } })
    const { view } = options.default
      ? await call(projectViewsApi.setDefault, { params, body: { view: saved.id } })
      : { view: saved }
    return { data: view, text: () => viewFacts(view ?? saved) }
  },
})
