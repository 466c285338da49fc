import { notificationsApi } from '../../src/api/notifications.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { plural } from '../../src/plural.ts'

export default command({
  summary: 'Mark notifications as read',
  examples: ['svc notification read --all', 'svc notification read --id ID'],
  arguments: [],
  options: {
    id: { type: 'string', multiple: true, placeholder: 'ID', summary: 'id of a notification (repeatable)' },
    all: { type: 'boolean', summary: 'the whole inbox' },
  },
  async run({ options, connection }) {
    if (!options.all && options.id.length === 0) throw new SvcError('usage', { reason: 'Give --id ID or --all.' })
    const { call, tenant } = await connection()
    const done = await call(notificationsApi.markRead, {
      params: { tenant_slug: await tenant() },
      body: options.all ? { all: true } : { ids: [...options.id] },
    })
    return {
      data: done,
      text: `Marked ${plural(done.updated, 'notification')} as read, ${done.unread.total} unread\n`,
    }
  },
})
