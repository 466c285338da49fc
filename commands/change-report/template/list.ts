import { changeReportsApi } from '../../../src/api/change-reports.ts'
import { scopeOption, scopeQuery } from '../../../cli/change-report/shared.ts'
import { command } from '../../../cli/declare.ts'
import { renderTable, shortTime } from '../../../cli/table.ts'

export default command({
  summary: 'List the versions of a template, newest first, and which one is in use',
  examples: ['svc change-report template list', 'svc change-report template list --project payments'],
  arguments: [],
  options: { project: scopeOption },
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant() }
    const { items, total } = await call(changeReportsApi.listTemplates, { params, query: scopeQuery(options.project) })
    const rows = items.map((it) => [
      it.id,
      it.scope,
      it.version,
      it.isDefault ? 'in use' : '',
      it.createdAt === null ? '' : shortTime(it.createdAt),
      it.name,
    ])
    return {
      data: items,
      summary: { total },
      text: () => renderTable(['ID', 'SCOPE', 'VERSION', '', 'ADDED', 'NAME'], rows),
    }
  },
})
