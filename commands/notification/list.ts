import { notificationsApi, notificationTypes } from '../../src/api/notifications.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List your notifications, newest first; nothing is marked as read',
  examples: ['svc notification list --unread', 'svc notification list --type mention'],
  arguments: [],
  options: {
    unread: { type: 'boolean', summary: 'only those that are unread' },
    type: {
      type: 'string',
      placeholder: 'WORD',
      choices: notificationTypes,
      summary: 'only notifications of this type',
    },
    limit: { type: 'integer', min: 1, max: 100, default: 20, summary: 'maximum number of rows' },
    offset: { type: 'integer', min: 0, default: 0, summary: 'number of rows to skip' },
  },
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const { limit, offset, type } = options
    const page = await call(notificationsApi.list, {
      params: { tenant_slug: await tenant() },
      query: {
        limit,
        offset,
        ...(options.unread ? { unread: true } : {}),
        ...(type === undefined ? {} : { type }),
      },
    })
    const rows = page.notifications.map((it) => [
      it.id,
      it.read_at === null ? 'unread' : 'read',
      it.created_at.slice(0, 16).replace('T', ' '),
      it.payload.title,
      it.actor?.name ?? '',
      it.payload.url,
    ])
    return {
      data: page.notifications,
      summary: { total: page.total, limit, offset },
      text: () =>
        rows.length === 0 ? 'No notifications.\n' : renderTable(['ID', 'STATE', 'TIME', 'WHAT', 'BY', 'WHERE'], rows),
    }
  },
})
