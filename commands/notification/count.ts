import { notificationsApi } from '../../src/api/notifications.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'Count your unread notifications by type',
  examples: ['svc notification count --json'],
  arguments: [],
  options: {},
  async run({ connection }) {
    const { call, tenant } = await connection()
    const count = await call(notificationsApi.unreadCount, { params: { tenant_slug: await tenant() } })
    const rows = Object.entries(count.by_type).map(([type, n]) => [type, String(n)])
    return { data: count, text: () => renderTable(['TYPE', 'UNREAD'], [...rows, ['total', String(count.total)]]) }
  },
})
