import { inboxApi, inboxKinds } from '../../src/api/inbox.ts'
import { notificationsApi, notificationTypes } from '../../src/api/notifications.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { listOptions, pageCounts } from '../../cli/paging.ts'
import { renderTable, shortTime } from '../../cli/table.ts'

export default group({
  summary: 'Read your inbox and your notifications',
  commands: {
    inbox: derive(inboxApi.list, {
      summary: 'List what waits for you: what you are to decide, then what you should look at',
      examples: ['svc notification inbox', 'svc notification inbox --kind review'],
      options: {
        kind: { type: 'string', placeholder: 'WORD', choices: inboxKinds, summary: 'only this kind' },
        limit: { summary: 'maximum number of rows' },
        offset: listOptions.offset,
      },
      data: 'items',
      counts: pageCounts,
      empty: 'Nothing waits for you.\n',
      columns: {
        URGENCY: (it) => it.urgency,
        KIND: (it) => it.kind,
        SINCE: (it) => shortTime(it.since),
        SUBJECT: (it) => it.subject,
        WHAT: (it) => it.what,
        BY: (it) => it.who ?? '',
        WHERE: (it) => it.url,
      },
    }),
    list: derive(notificationsApi.list, {
      examples: ['svc notification list --unread', 'svc notification list --type mention'],
      options: {
        unread: { summary: 'only those that are unread' },
        type: {
          type: 'string',
          placeholder: 'WORD',
          choices: notificationTypes,
          summary: 'only notifications of this type',
        },
        limit: { summary: 'maximum number of rows' },
        offset: listOptions.offset,
      },
      data: 'notifications',
      counts: pageCounts,
      empty: 'No notifications.\n',
      columns: {
        ID: (it) => it.id,
        STATE: (it) => (it.read_at === null ? 'unread' : 'read'),
        TIME: (it) => shortTime(it.created_at),
        WHAT: (it) => it.payload.title,
        BY: (it) => it.actor?.name ?? '',
        WHERE: (it) => it.payload.url,
      },
    }),
    count: derive(notificationsApi.unreadCount, {
      summary: 'Count your unread notifications by type',
      examples: ['svc notification count --json'],
      text({ by_type, total }) {
        const rows = Object.entries(by_type).map(([type, count]) => [type, String(count)])
        return renderTable(['TYPE', 'UNREAD'], [...rows, ['total', String(total)]])
      },
    }),
    unread: derive(notificationsApi.markUnread, {
      summary: 'Mark notifications as unread again',
      examples: ['svc notification unread --id ID'],
      options: {
        id: {
          type: 'string',
          multiple: true,
          placeholder: 'ID',
          summary: 'id of a notification (repeatable)',
          field: 'ids',
        },
      },
      text: (done) => `Marked ${plural(done.updated, 'notification')} as unread, ${done.unread.total} unread\n`,
    }),
    read: command({
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
    }),
  },
})
