import { projectViewsApi } from '../../src/api/project-views.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'
import { filterText } from '../../cli/view/shared.ts'

export default command({
  summary: 'List your saved views and those shared with the organization',
  examples: ['svc view list'],
  arguments: [],
  options: {},
  dataSchema: projectViewsApi.list.response.properties.items,
  async run({ connection }) {
    const { call, tenant } = await connection()
    const { items } = await call(projectViewsApi.list, { params: { tenant_slug: await tenant() } })
    const rows = items.map((view) => [
      view.name,
      view.visibility,
      view.is_default ? 'yes' : '',
      filterText(view.filter),
    ])
    return {
      data: items,
      text: () =>
        rows.length === 0
          ? 'No saved views. Save one: svc view save NAME --owner TEAM\n'
          : renderTable(['VIEW', 'VISIBILITY', 'DEFAULT', 'PROJECTS'], rows),
    }
  },
})
