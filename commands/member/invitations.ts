import { InvitationRecord, membersApi } from '../../src/api/members.ts'
import { command } from '../../cli/declare.ts'
import { moreOf, pageOptions, pageSummary } from '../../cli/paging.ts'
import { renderTable, shortTime } from '../../cli/table.ts'

export default command({
  summary: 'List the pending invitations',
  examples: ['svc member invitations', 'svc member invitations --json'],
  arguments: [],
  options: pageOptions,
  dataSchema: { type: 'array', items: InvitationRecord },
  async run({ options: query, connection }) {
    const { call, tenant } = await connection()
    const page = await call(membersApi.invitations, { params: { tenant_slug: await tenant() }, query })
    return {
      data: page.items,
      summary: pageSummary(page),
      text: () =>
        page.items.length === 0
          ? 'No open invitations.\n'
          : renderTable(
              ['E-MAIL', 'ROLE', 'EXPIRES'],
              page.items.map((it) => [it.email, it.role, shortTime(it.expires_at)]),
            ) + moreOf(page),
    }
  },
})
