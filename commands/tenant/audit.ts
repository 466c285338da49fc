import { AuditRecord, tenantsApi } from '../../src/api/tenants.ts'
import { command } from '../command.ts'
import { moreOf, pageOptions, pageSummary } from '../paging.ts'
import { renderTable, shortTime } from '../table.ts'

export default command({
  summary: 'Show who changed what in the tenant, newest first',
  examples: ['svc tenant audit', 'svc tenant audit --action member.suspended --json'],
  arguments: [],
  options: {
    action: { type: 'string', placeholder: 'NAME', summary: 'only this action, such as member.suspended' },
    ...pageOptions,
  },
  dataSchema: { type: 'array', items: AuditRecord },
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const { action, limit, offset } = options
    const page = await call(tenantsApi.audit, {
      params: { tenant_slug: await tenant() },
      query: { limit, offset, ...(action === undefined ? {} : { action }) },
    })
    return {
      data: page.items,
      summary: pageSummary(page),
      text: () =>
        page.items.length === 0
          ? 'Nothing was changed yet.\n'
          : renderTable(
              ['TIME', 'WHO', 'ACTION', 'WHAT'],
              page.items.map((it) => [
                shortTime(it.created_at),
                it.actor_name ?? it.actor_kind,
                it.action,
                it.target_id ?? '',
              ]),
            ) + moreOf(page),
    }
  },
})
