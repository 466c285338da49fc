import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { notificationTypes } from './notifications.ts'
import { projectTag } from './projects.ts'
import { idParam, person, tenantParams, tenantPath } from './kit.ts'

export const targetKinds = ['bell', 'email', 'chat'] as const
export type TargetKind = (typeof targetKinds)[number]

/** The chats whose incoming webhooks are known. */
export const chatServices = ['slack', 'teams', 'discord', 'mattermost'] as const
export type ChatService = (typeof chatServices)[number]

export const frequencies = ['at_once', 'hourly', 'daily', 'weekly'] as const
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** How many a rule may name, and how many chats a person or an organization may have. */
export const mostOfRule = { projects: 100, tags: 20 } as const
export const mostChats = 20

const type = oneOf(notificationTypes)

/** A rule as it is stored: a type that goes to the target, limited to projects and tags or not. */
export interface StoredRule {
  readonly type: (typeof notificationTypes)[number]
  /** Ids. */
  readonly projects: readonly string[] | null
  readonly tags: readonly string[] | null
}

const schedule = {
  frequency: oneOf(frequencies, 'hourly: at the full hour. daily and weekly: at the time of "at".'),
  at: Type.String({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    description: 'Time of day in the time zone, for daily and weekly.',
    examples: ['08:00'],
  }),
  weekday: oneOf(weekdays, 'For weekly.'),
  time_zone: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'A name of the IANA time zone database.',
    examples: ['Europe/Berlin'],
  }),
}
const Schedule = titled('DigestSchedule', Type.Object(schedule))
export type DigestSchedule = Static<typeof Schedule>

const Rule = titled(
  'NotificationRule',
  Type.Object({
    type,
    projects: orNull(
      Type.Array(Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() }), {
        description: 'News of these projects; null: the rule names none.',
      }),
    ),
    tags: orNull(
      Type.Array(Type.String(), { description: 'News of projects with one of these tags; null: the rule names none.' }),
    ),
  }),
)
export type NotificationRule = Static<typeof Rule>

const Target = titled(
  'NotificationTarget',
  Type.Object({
    id: Type.String({ description: '"bell" and "email" are your own; others are ids of chats.' }),
    kind: oneOf(targetKinds),
    owner: oneOf(['me', 'organization']),
    name: Type.String(),
    rules: Type.Array(Rule, {
      description: 'The types that go there. With projects or tags only news of those go there.',
    }),
    schedule: orNull(Schedule),
    address: orNull(Type.String({ description: 'Of e-mail: where it goes.' })),
    confirmed: orNull(
      Type.Boolean({
        description:
          'Of e-mail: whether the address is known to be yours. Nothing but a link to confirm it is sent before.',
      }),
    ),
    service: orNull(oneOf(chatServices)),
    host: orNull(Type.String({ description: 'Of a chat: the host of its address, which is never answered.' })),
    active: Type.Boolean(),
    stopped: orNull(
      Type.String({ description: 'Why the service stopped sending there; "active": true begins again.' }),
    ),
    waiting: Type.Integer({ description: 'How many news wait to be sent.' }),
    last_at: orNull(dateTime('When the last attempt was made.')),
    last_error: orNull(Type.String({ description: 'Why it failed; null: it succeeded, or there was none.' })),
  }),
)
export type NotificationTarget = Static<typeof Target>

const Tried = titled(
  'NotificationTest',
  Type.Object({
    sent: Type.Boolean(),
    message: Type.String({ description: 'What was sent where, or why it was not.' }),
  }),
)

const base = `${tenantPath}/notification-targets`
const one = `${base}/{target_id}` as const
const targetParams = {
  ...tenantParams,
  target_id: Type.String({ minLength: 1, description: '"bell", "email" or the id of a chat.' }),
}
const ruleParams = Type.Object({ ...targetParams, type: oneOf(notificationTypes) })
const write = { ...person(null), writes: true } as const
const chatName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
const chatUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Write-only. The https address of an incoming webhook, as the chat shows it.',
})
const shared = 'A chat of the organization needs webhooks:edit to change.'
const secretErrors = ['secret-key-missing', 'secret-key-unusable'] as const

/** Where news go: the bell, e-mail and chats, with the rules of what goes there. */
export const notificationTargetsApi = {
  list: endpoint({
    id: 'notification-targets.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List where your news go: the bell, e-mail, your chats and those of the organization',
    access: person(null),
    params: Type.Object(tenantParams),
    response: titled(
      'NotificationTargetList',
      Type.Object({
        items: Type.Array(Target),
        mail: Type.Object({
          available: Type.Boolean({
            description: 'Whether this installation sends e-mail: an operator sets SVC_SMTP_URL.',
          }),
          from: orNull(Type.String({ description: 'The sender.' })),
        }),
      }),
    ),
    errors: [],
  }),
  create: endpoint({
    id: 'notification-targets.create',
    origin: 'own',
    method: 'POST',
    path: base,
    summary: 'Add a channel of a chat by its incoming webhook',
    description: `Nothing goes there before it has rules. ${shared}`,
    access: write,
    params: Type.Object(tenantParams),
    body: bodyOf({
      name: chatName,
      service: oneOf(chatServices),
      url: chatUrl,
      owner: Type.Optional(oneOf(['me', 'organization'], 'Whose news go there; yours when omitted.')),
    }),
    response: Target,
    status: 201,
    errors: ['chat-url-invalid', 'too-many-chats', ...secretErrors],
  }),
  update: endpoint({
    id: 'notification-targets.update',
    origin: 'own',
    method: 'PATCH',
    path: one,
    summary: 'Change when e-mail is sent, the name or address of a chat, or switch a target on or off',
    description: shared,
    access: write,
    params: Type.Object(targetParams),
    body: bodyOf({
      name: Type.Optional(chatName),
      url: Type.Optional(chatUrl),
      active: Type.Optional(Type.Boolean()),
      frequency: Type.Optional(schedule.frequency),
      at: Type.Optional(schedule.at),
      weekday: Type.Optional(schedule.weekday),
      time_zone: Type.Optional(schedule.time_zone),
    }),
    response: Target,
    errors: [
      'notification-target-not-found',
      'notification-target-unfit',
      'chat-url-invalid',
      'time-zone-unknown',
      ...secretErrors,
    ],
  }),
  remove: endpoint({
    id: 'notification-targets.delete',
    origin: 'own',
    method: 'DELETE',
    path: one,
    summary: 'Remove a chat; what waits for it is not sent',
    description: shared,
    access: write,
    params: Type.Object(targetParams),
    response: Type.Null(),
    status: 204,
    errors: ['notification-target-not-found', 'notification-target-unfit'],
  }),
  setRule: endpoint({
    id: 'notification-targets.set-rule',
    origin: 'own',
    method: 'PUT',
    path: `${one}/rules/{type}`,
    summary: 'Let news of a type go to a target, of all projects or of some',
    description: `With projects and tags, news of these projects and of those with one of these tags go there. ${shared}`,
    access: write,
    params: ruleParams,
    body: bodyOf({
      projects: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), { maxItems: mostOfRule.projects, description: 'Ids or slugs.' }),
      ),
      tags: Type.Optional(Type.Array(projectTag, { maxItems: mostOfRule.tags, uniqueItems: true })),
    }),
    bodyOptional: true,
    response: Target,
    errors: ['notification-target-not-found', 'notification-target-unfit', 'mail-unavailable', 'project-not-found'],
  }),
  removeRule: endpoint({
    id: 'notification-targets.delete-rule',
    origin: 'own',
    method: 'DELETE',
    path: `${one}/rules/{type}`,
    summary: 'Let no news of a type go to a target any more',
    description: shared,
    access: write,
    params: ruleParams,
    response: Target,
    errors: ['notification-target-not-found', 'notification-target-unfit'],
  }),
  test: endpoint({
    id: 'notification-targets.test',
    origin: 'own',
    method: 'POST',
    path: `${one}/test`,
    summary: 'Send a test message now; to an address that is not confirmed, the link to confirm it',
    description: shared,
    access: write,
    params: Type.Object(targetParams),
    response: Tried,
    errors: ['notification-target-not-found', 'notification-target-unfit', 'mail-unavailable'],
  }),
  link: endpoint({
    id: 'notification-targets.link',
    origin: 'own',
    method: 'GET',
    path: '/v1/e-mail/{token}',
    summary: 'Show the page of a link in an e-mail: to stop the e-mail, or to confirm the address',
    description: 'It changes nothing: programs that look at links before a person does do no harm.',
    access: { anonymous: true, reason: 'The link is signed: whoever got the e-mail may use it.' },
    params: Type.Object({ token: idParam }),
    response: Type.String(),
    produces: ['text/html'],
    errors: ['e-mail-link-void'],
  }),
  follow: endpoint({
    id: 'notification-targets.follow-link',
    origin: 'own',
    method: 'POST',
    path: '/v1/e-mail/{token}',
    summary: 'Stop the e-mail, or confirm the address, as the link says',
    description:
      'One click (RFC 8058): mail programs send this themselves when a person unsubscribes. The body is not read.',
    access: { anonymous: true, reason: 'The link is signed: whoever got the e-mail may use it.' },
    params: Type.Object({ token: idParam }),
    response: Type.String(),
    produces: ['text/html'],
    errors: ['e-mail-link-void'],
  }),
} as const
