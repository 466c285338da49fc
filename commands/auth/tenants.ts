import { MembershipRecord, tenantsApi } from '../../src/api/tenants.ts'
import { command } from '../../cli/declare.ts'
import { tenantTable } from '../../cli/auth/memberships.ts'

export default command({
  summary: 'List the organizations you have access to',
  examples: ['svc auth tenants', 'svc auth tenants --limit 10 --offset 10 --json'],
  arguments: [],
  options: {
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'maximum number of rows' },
    offset: { type: 'integer', min: 0, max: 10_000, default: 0, summary: 'number of rows to skip' },
  },
  dataSchema: { type: 'array', items: MembershipRecord },
  async run({ options, connection }) {
    const { call } = await connection()
    const page = await call(tenantsApi.me, { query: { limit: options.limit, offset: options.offset } })
    const shown = options.offset + page.items.length
    const more = page.total > shown ? `… ${page.total - shown} more: --offset ${shown}\n` : ''
    return {
      data: page.items,
      summary: { total: page.total, limit: page.limit, offset: page.offset },
      text: () => (page.items.length === 0 ? 'No organizations.\n' : tenantTable(page.items) + more),
    }
  },
})
