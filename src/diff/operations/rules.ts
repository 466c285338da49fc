import { fromTo, shorten, tagChange } from '../describe.ts'
import { ruleTable } from '../rule.ts'

export const callbackRules = ruleTable('callback', null, {
  'callback-added': {
    title: 'Callback added',
    explain: 'The service makes additional calls. Clients that do not subscribe are not affected.',
    message: ({ subject }) => `${subject} was added`,
  },
  'callback-operation-added': {
    title: 'Callback operation added',
    explain: 'The service makes additional calls to the callback URL.',
    message: ({ subject }) => `${subject} was added`,
  },
  'callback-operation-removed': {
    title: 'Callback operation removed',
    explain: 'Clients that wait for this call no longer receive it.',
    message: ({ subject }) => `${subject} was removed`,
  },
  'callback-removed': {
    title: 'Callback removed',
    explain: 'Clients that wait for this call no longer receive it.',
    message: ({ subject }) => `${subject} was removed`,
  },
})

export const operationRules = ruleTable('operation', null, {
  'operation-added': {
    title: 'Operation added',
    explain: 'A new operation does not affect existing clients.',
    message: ({ subject }) => `${subject} was added`,
    aliases: ['endpoint-added'],
  },
  'operation-deprecated-added': {
    title: 'Operation deprecated',
    explain: 'The operation still works. Clients should plan to stop using it.',
    message: ({ subject }) => `${subject} is now deprecated`,
    aliases: ['endpoint-deprecated', 'endpoint-deprecated-with-sunset'],
  },
  'operation-deprecated-removed': {
    title: 'Operation no longer deprecated',
    explain: 'Clients can continue to use the operation.',
    message: ({ subject }) => `${subject} is no longer deprecated`,
    aliases: ['endpoint-reactivated'],
  },
  'operation-operation-id-added': {
    title: 'Operation ID added',
    explain:
      'Code generators use the operation ID as a name. Requests and responses do not change; the switch `operation-id-changed` decides whether it is breaking.',
    message: ({ subject, after }) => `Operation ID of ${subject} was set to ${shorten(after)}`,
    aliases: ['api-operation-id-added'],
  },
  'operation-operation-id-changed': {
    title: 'Operation ID changed',
    explain:
      'Code generators use the operation ID as a name. Requests and responses do not change; the switch `operation-id-changed` decides whether it is breaking.',
    message: ({ subject, before, after }) => `Operation ID of ${subject} changed ${fromTo(before, after)}`,
  },
  'operation-operation-id-removed': {
    title: 'Operation ID removed',
    explain:
      'Code generators use the operation ID as a name. Requests and responses do not change; the switch `operation-id-changed` decides whether it is breaking.',
    message: ({ subject, before }) => `Operation ID ${shorten(before)} of ${subject} was removed`,
    aliases: ['api-operation-id-removed'],
  },
  'operation-removed': {
    title: 'Operation removed',
    explain:
      'Clients that call this operation fail. If its announced sunset date has passed, the removal counts as planned (switch `removed-after-sunset`).',
    message: ({ subject }) => `${subject} was removed`,
    aliases: [
      'api-path-removed-before-sunset',
      'api-path-removed-with-deprecation',
      'api-path-removed-without-deprecation',
      'api-removed-before-sunset',
      'api-removed-with-deprecation',
      'api-removed-without-deprecation',
    ],
  },
  'operation-stability-decreased': {
    title: 'Stability level lowered',
    explain:
      'The level in `x-stability-level` (draft, alpha, beta, stable) is lower than before or unknown. Only profiles that use this extension report it.',
    message: ({ subject, before, after }) =>
      `Stability level of ${subject} was lowered ${fromTo(before ?? 'stable', after ?? 'stable')}`,
    aliases: ['api-stability-decreased', 'api-invalid-stability-level'],
  },
  'operation-stability-increased': {
    title: 'Stability level raised',
    explain:
      'The level in `x-stability-level` (draft, alpha, beta, stable) is higher than before. Only profiles that use this extension report it.',
    message: ({ subject, before, after }) =>
      `Stability level of ${subject} was raised ${fromTo(before ?? 'stable', after ?? 'stable')}`,
    aliases: ['api-stability-increased'],
  },
  'operation-sunset-added': {
    title: 'Invalid sunset date',
    explain:
      'The operation was deprecated with a sunset date that is not a date or has already passed, so clients cannot plan. Only profiles that use `x-sunset` report it.',
    message: ({ subject, after }) => `Sunset date ${shorten(after)} of ${subject} is not a future date`,
    noOpposite: 'A removed date is reported by the rule for removed sunset dates.',
    aliases: ['api-deprecated-sunset-parse', 'api-deprecated-sunset-missing', 'api-sunset-date-too-small'],
  },
  'operation-sunset-changed': {
    title: 'Sunset date changed',
    explain:
      'The date on which the operation is removed changed. An earlier date is breaking: clients have less time than announced.',
    message: ({ subject, before, after }) => `Sunset date of ${subject} changed ${fromTo(before, after)}`,
    aliases: ['api-sunset-date-changed-too-small', 'api-path-sunset-parse'],
  },
  'operation-sunset-removed': {
    title: 'Sunset date removed',
    explain: 'The operation is still deprecated, but the date of its removal is no longer announced.',
    message: ({ subject, before }) =>
      `Sunset date ${shorten(before)} of ${subject} was removed, although it is still deprecated`,
    noOpposite: 'Announcing a date is part of the deprecation.',
    aliases: ['sunset-deleted'],
  },
  'operation-tags-changed': {
    title: 'Tags of an operation changed',
    explain: 'Documentation and code generators group operations by their tags. Requests and responses do not change.',
    message: ({ subject, before, after }) => `${subject}: ${tagChange(before, after)}`,
    aliases: ['api-tag-added', 'api-tag-removed'],
  },
})

export const webhookRules = ruleTable('webhook', null, {
  'webhook-added': {
    title: 'Webhook added',
    explain: 'The service makes additional calls. Receivers that do not subscribe are not affected.',
    message: ({ subject }) => `${subject} was added`,
    aliases: ['webhook-added'],
  },
  'webhook-operation-added': {
    title: 'Webhook operation added',
    explain: 'The service makes additional calls to the receivers of the webhook.',
    message: ({ subject }) => `${subject} was added`,
  },
  'webhook-operation-removed': {
    title: 'Webhook operation removed',
    explain: 'Receivers that wait for this call no longer receive it.',
    message: ({ subject }) => `${subject} was removed`,
  },
  'webhook-removed': {
    title: 'Webhook removed',
    explain: 'Receivers that wait for this webhook no longer receive it.',
    message: ({ subject }) => `${subject} was removed`,
    aliases: ['webhook-removed'],
  },
})
