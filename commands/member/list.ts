import { MemberRecord, membersApi } from '../../src/api/members.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List the members of the organization and their roles',
  examples: ['svc member list', 'svc member list --search ada --json'],
  arguments: [],
  options: {
    search: { type: 'string', placeholder: 'TEXT', summary: 'only members whose name or e-mail address contains TEXT' },
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'maximum number of rows' },
    offset: { type: 'integer', min: 0, default: 0, summary: 'number of rows to skip' },
  },
  dataSchema: { type: 'array', items: MemberRecord },
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const page = await call(membersApi.list, {
      params: { tenant_slug: await tenant() },
      query: { limit: options.limit, offset: options.offset, ...(options.search ? { q: options.search } : {}) },
    })
    return {
      data: page.items,
      summary: { total: page.total, limit: page.limit, offset: page.offset },
      text: () =>
        page.items.length === 0
          ? 'No members.\n'
          : renderTable(
              ['E-MAIL', 'ROLE', 'STATUS', 'NAME'],
              page.items.map((it) => [it.email, it.role, it.status, it.name]),
            ),
    }
  },
})
