import { fromTo } from '../describe.ts'
import { ruleTable } from '../rule.ts'

export const headerRules = ruleTable('header', 'response', {
  'header-added': {
    title: 'Response header added',
    explain: 'Clients can ignore an additional response header.',
    message: ({ subject }) => `${subject} was added`,
    aliases: ['response-header-added'],
  },
  'header-deprecated-added': {
    title: 'Response header deprecated',
    explain: 'The service still sends the header. Clients should plan to stop using it.',
    message: ({ subject }) => `${subject} is now deprecated`,
  },
  'header-deprecated-removed': {
    title: 'Response header no longer deprecated',
    explain: 'Clients can continue to use the header.',
    message: ({ subject }) => `${subject} is no longer deprecated`,
  },
  'header-removed': {
    title: 'Response header removed',
    explain:
      'Clients that read this header no longer find it. If the header was optional, the switch `response-optional-header-removed` decides whether the change is breaking.',
    message: ({ subject }) => `${subject} was removed`,
    aliases: ['optional-response-header-removed', 'required-response-header-removed'],
  },
  'header-required-added': {
    title: 'Response header became required',
    explain: 'The service now always sends this header.',
    message: ({ subject }) => `${subject} is now always sent`,
  },
  'header-serialisation-changed': {
    title: 'Response header serialization changed',
    explain:
      'The value of the header is written as another text: `explode` changed for an object, or a media type (`content`) describes it instead of a schema, or the other way round. If the text is the same in both ways, the change is not breaking.',
    message: ({ subject, before, after }) => `Serialization of ${subject} changed ${fromTo(before, after)}`,
  },
  'header-required-removed': {
    title: 'Response header became optional',
    explain: 'Clients that rely on this header can receive responses without it.',
    message: ({ subject }) => `${subject} is now optional`,
    aliases: ['response-header-became-optional'],
  },
})

export const linkRules = ruleTable('link', 'response', {
  'link-added': {
    title: 'Link added',
    explain:
      'A link describes how a response leads to another operation. It is a hint for tools; the operations are compared separately.',
    message: ({ subject }) => `${subject} was added`,
  },
  'link-changed': {
    title: 'Link changed',
    explain:
      'A link describes how a response leads to another operation. It is a hint for tools; the operations are compared separately.',
    message: ({ subject, before, after }) => `${subject} changed ${fromTo(before, after)}`,
  },
  'link-removed': {
    title: 'Link removed',
    explain:
      'A link describes how a response leads to another operation. It is a hint for tools; the operations are compared separately.',
    message: ({ subject }) => `${subject} was removed`,
  },
})

export const statusRules = ruleTable('status', 'response', {
  'status-failure-added': {
    title: 'Error status added',
    explain: 'The operation documents an additional error status. Clients treat an unknown status by its first digit.',
    message: ({ subject }) => `${subject} was added`,
    aliases: ['response-non-success-status-added'],
  },
  'status-failure-removed': {
    title: 'Error status removed',
    explain:
      'The operation no longer documents this error status. The switch `response-non-success-status-removed` decides whether it is breaking.',
    message: ({ subject }) => `${subject} was removed`,
    aliases: ['response-non-success-status-removed'],
  },
  'status-success-added': {
    title: 'Success status added',
    explain:
      'The operation documents an additional success status. The switch `response-success-status-added` decides whether it is breaking.',
    message: ({ subject }) => `${subject} was added`,
    aliases: ['response-success-status-added'],
  },
  'status-success-removed': {
    title: 'Success status removed',
    explain: 'Clients that expect this status no longer receive it.',
    message: ({ subject }) => `${subject} was removed`,
    aliases: ['response-success-status-removed'],
  },
})
