import { notificationTargetsApi } from '../../../src/api/notification-targets.ts'
import { notificationTypes } from '../../../src/api/notifications.ts'
import { group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { renderTarget, targetArgument } from '../../../cli/notification/targets.ts'

const ruleArguments = [
  targetArgument,
  { name: 'type', summary: `what the news are about: ${notificationTypes.join(', ')}` },
] as const

export default group({
  summary: 'Choose which news go to the bell, to e-mail and to chats',
  commands: {
    set: derive(notificationTargetsApi.setRule, {
      summary: 'Let news of a type go to a target, of all projects or of some',
      examples: [
        'svc notification rule set email review_requested',
        'svc notification rule set email version_published --project petstore --tag public',
      ],
      arguments: ruleArguments,
      options: {
        project: {
          type: 'string',
          multiple: true,
          placeholder: 'PROJECT',
          summary: 'only news of this project, by id or slug (repeatable)',
          field: 'projects',
        },
        tag: {
          type: 'string',
          multiple: true,
          placeholder: 'TAG',
          summary: 'only news of projects with this tag (repeatable); with --project, news of either',
          field: 'tags',
        },
      },
      text: renderTarget,
    }),
    remove: derive(notificationTargetsApi.removeRule, {
      summary: 'Let no news of a type go to a target any more',
      examples: ['svc notification rule remove bell version_published'],
      arguments: ruleArguments,
      text: renderTarget,
    }),
  },
})
