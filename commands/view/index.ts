import { type ProjectView, projectViewsApi, type ViewFilter } from '../../src/api/project-views.ts'
import { projectOrders } from '../../src/api/projects.ts'
import { SvcError } from '../../src/errors.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { filterOf, filterOptions } from '../../cli/project/filter.ts'
import { renderFacts } from '../../cli/table.ts'

const viewArgument = { name: 'view', required: true, summary: 'name or id' } as const

/** A filter as a person reads it: "owner=Payments grade=F". */
const filterText = (filter: ViewFilter): string =>
  Object.entries(filter)
    .map(([name, value]) => `${name === 'q' ? 'search' : name}=${/\s/.test(value) ? JSON.stringify(value) : value}`)
    .join(' ') || 'all projects'

/** A view as a person reads it. */
const viewFacts = (view: ProjectView): string =>
  renderFacts([
    ['View', view.name],
    ['Id', view.id],
    ['Visibility', view.visibility],
    ['Projects', filterText(view.filter)],
    ['Default', view.is_default ? 'yes' : 'no'],
  ])

export default group({
  summary: 'Manage saved views of the list of projects',
  commands: {
    list: derive(projectViewsApi.list, {
      summary: 'List your saved views and those shared with the organization',
      examples: ['svc view list'],
      data: 'items',
      empty: 'No saved views. Save one: svc view create NAME --owner TEAM\n',
      columns: {
        VIEW: (it) => it.name,
        VISIBILITY: (it) => it.visibility,
        DEFAULT: (it) => (it.is_default ? 'yes' : ''),
        PROJECTS: (it) => filterText(it.filter),
      },
    }),
    create: command({
      summary: 'Save a view of the list of projects, or replace the filter of the one with this name',
      description:
        'A view is private unless --share is given. "svc project list --view NAME" and the application list its projects.',
      examples: [
        'svc view create "Failing" --grade F --sort updated',
        'svc view create "Without a draft" --owner payments --draft no --share --default',
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
    }),
    update: command({
      summary: 'Rename a saved view, share or unshare it, or make it your default',
      description: 'To replace the filter of a view, save it again with "svc view create".',
      examples: ['svc view update Failing --name "Grade F" --share', 'svc view update Failing --no-default'],
      arguments: [viewArgument],
      options: {
        name: { type: 'string', placeholder: 'NAME', summary: 'its new name' },
        share: {
          type: 'boolean',
          default: null,
          summary: 'share it with the organization; --no-share makes it private',
        },
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
    }),
    delete: command({
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
    }),
  },
})
