import { chatServices, notificationTargetsApi } from '../../../src/api/notification-targets.ts'
import { notificationTypes } from '../../../src/api/notifications.ts'
import { SvcError } from '../../../src/errors.ts'
import { command, group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { readChatUrl, renderTarget, stateOf, targetArgument } from '../../../cli/notification/targets.ts'

const urlOption = { type: 'boolean', summary: 'read the address of its incoming webhook from standard input' } as const

export default group({
  summary: 'Manage where your news go: the bell, e-mail and chats',
  commands: {
    list: derive(notificationTargetsApi.list, {
      examples: ['svc notification target list'],
      data: 'items',
      columns: {
        ID: (it) => it.id,
        NAME: (it) => it.name,
        OWNER: (it) => it.owner,
        NEWS: (it) => `${it.rules.length} of ${notificationTypes.length} types`,
        STATE: stateOf,
      },
    }),
    'add-chat': derive(notificationTargetsApi.create, {
      summary: 'Add a channel of a chat by its incoming webhook',
      description:
        'The address is a secret: it is read from SVC_CHAT_URL or standard input, stored encrypted and never shown. Nothing goes there before "svc notification rule set".',
      examples: ['pass show team-hook | svc notification target add-chat "#apis" --service slack --url-stdin'],
      arguments: [{ name: 'name', summary: 'what you call it' }],
      options: {
        service: {
          type: 'string',
          placeholder: 'WORD',
          required: true,
          choices: chatServices,
          summary: 'which chat it is',
        },
        organization: {
          type: 'boolean',
          summary: 'for news of the organization instead of yours; needs webhooks:edit',
          field: 'owner',
          read: () => 'organization',
        },
        'url-stdin': { ...urlOption, field: null },
      },
      sends: { url: readChatUrl },
      text: renderTarget,
    }),
    update: command({
      summary: 'Change when e-mail is sent, the name or address of a chat, or switch a target on or off',
      examples: [
        'svc notification target update email --frequency daily --at 08:00 --time-zone Europe/Berlin',
        'svc notification target update email --off',
      ],
      arguments: [{ name: 'target', required: true, summary: '"email" or the id of a chat' }],
      options: {
        frequency: {
          type: 'string',
          placeholder: 'WORD',
          choices: ['at_once', 'hourly', 'daily', 'weekly'],
          summary: 'how often e-mail is sent',
        },
        at: { type: 'string', placeholder: 'HH:MM', summary: 'time of day, for daily and weekly' },
        weekday: {
          type: 'string',
          placeholder: 'DAY',
          choices: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
          summary: 'for weekly',
        },
        'time-zone': { type: 'string', placeholder: 'NAME', summary: 'your time zone, as Europe/Berlin' },
        name: { type: 'string', placeholder: 'NAME', summary: 'new name of a chat' },
        'url-stdin': urlOption,
        on: { type: 'boolean', summary: 'switch it on, also after the service stopped sending there' },
        off: { type: 'boolean', summary: 'switch it off; what waits is not sent' },
      },
      dataSchema: notificationTargetsApi.update.response,
      async run(invocation) {
        const { args, options, connection } = invocation
        if (options.on && options.off) throw new SvcError('usage', { reason: 'Choose --on or --off.' })
        const body = {
          ...(options.frequency === undefined ? {} : { frequency: options.frequency }),
          ...(options.at === undefined ? {} : { at: options.at }),
          ...(options.weekday === undefined ? {} : { weekday: options.weekday }),
          ...(options['time-zone'] === undefined ? {} : { time_zone: options['time-zone'] }),
          ...(options.name === undefined ? {} : { name: options.name }),
          ...(options['url-stdin'] ? { url: await readChatUrl(invocation) } : {}),
          ...(options.on || options.off ? { active: options.on } : {}),
        }
        if (Object.keys(body).length === 0)
          throw new SvcError('usage', {
            reason:
              'Give what to change: --frequency, --at, --weekday, --time-zone, --name, --url-stdin, --on or --off.',
          })
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), target_id: args.target }
        const target = await call(notificationTargetsApi.update, { params, body })
        return { data: target, text: renderTarget(target) }
      },
    }),
    test: derive(notificationTargetsApi.test, {
      examples: ['svc notification target test email'],
      arguments: [targetArgument],
      text: ({ message }) => `${message}\n`,
      exitCode: ({ sent }) => (sent ? 0 : 1),
    }),
    delete: derive(notificationTargetsApi.remove, {
      examples: ['svc notification target delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [targetArgument],
      text: (_, { args }) => `Removed ${args.target}\n`,
    }),
  },
})
