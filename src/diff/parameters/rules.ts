import { fromTo, shorten } from '../describe.ts'
import { ruleTable } from '../rule.ts'

export const parameterRules = ruleTable('parameter', 'request', {
  'parameter-added': {
    title: 'Parameter added',
    explain:
      'If the parameter is required, requests without it are now rejected. An optional parameter is not breaking. A variable that the path had without a parameter is a text of any kind: its declaration is documentation, unless it allows fewer texts.',
    message: ({ subject, verdict }) =>
      verdict === 'docs'
        ? `${subject} is now declared; its path had it already`
        : `${subject} was added${verdict === 'safe' ? '' : ' and is required'}`,
    aliases: [
      'new-optional-request-default-parameter-to-existing-path',
      'new-optional-request-parameter',
      'new-request-path-parameter',
      'new-required-request-default-parameter-to-existing-path',
      'new-required-request-parameter',
    ],
  },
  'parameter-deprecated-added': {
    title: 'Parameter deprecated',
    explain: 'The parameter still works. Clients should plan to stop using it.',
    message: ({ subject }) => `${subject} is now deprecated`,
    aliases: ['request-parameter-deprecated', 'request-parameter-deprecated-sunset-missing'],
  },
  'parameter-deprecated-removed': {
    title: 'Parameter no longer deprecated',
    explain: 'Clients can continue to use the parameter.',
    message: ({ subject }) => `${subject} is no longer deprecated`,
    aliases: ['request-parameter-reactivated'],
  },
  'parameter-empty-value-added': {
    title: 'Empty values allowed',
    explain: 'Clients can now send the parameter with an empty value (`allowEmptyValue`).',
    message: ({ subject }) => `${subject} now allows empty values`,
  },
  'parameter-empty-value-removed': {
    title: 'Empty values no longer allowed',
    explain: 'Requests with an empty value (`allowEmptyValue`) are now rejected or read differently.',
    message: ({ subject }) => `${subject} no longer allows empty values`,
  },
  'parameter-explode-changed': {
    title: 'Parameter explode changed',
    explain:
      'Arrays and objects are serialized differently, so the service misreads what clients send. If the serialized text is the same in both ways, the change is not breaking.',
    message: ({ subject, after }) => `${subject} is now serialized ${after === true ? 'with' : 'without'} explode`,
  },
  'parameter-name-changed': {
    title: 'Parameter renamed',
    explain: 'The name of a path parameter is not part of the request; renaming it is not breaking.',
    message: ({ subject, after }) => `${subject} was renamed to ${shorten(after)}`,
  },
  'parameter-removed': {
    title: 'Parameter removed',
    explain:
      'The service no longer reads the value that clients send. The switch `request-parameter-removed` decides whether it is breaking; by default it is.',
    message: ({ subject, verdict }) =>
      verdict === 'docs' ? `${subject} is no longer declared; its path still has it` : `${subject} was removed`,
    aliases: [
      'request-parameter-removed',
      'request-parameter-removed-before-sunset',
      'request-parameter-removed-with-deprecation',
    ],
  },
  'parameter-required-added': {
    title: 'Parameter became required',
    explain: 'Requests without the parameter were valid and are now rejected.',
    message: ({ subject }) => `${subject} is now required`,
    aliases: ['request-parameter-became-required'],
  },
  'parameter-required-removed': {
    title: 'Parameter became optional',
    explain: 'Clients can now omit the parameter.',
    message: ({ subject }) => `${subject} is now optional`,
    aliases: ['request-parameter-became-optional'],
  },
  'parameter-reserved-characters-added': {
    title: 'Reserved characters allowed',
    explain: 'Clients can now send reserved characters without percent-encoding (`allowReserved`).',
    message: ({ subject }) => `${subject} now allows reserved characters`,
  },
  'parameter-reserved-characters-removed': {
    title: 'Reserved characters no longer allowed',
    explain:
      'Requests with reserved characters that are not percent-encoded (`allowReserved`) are now rejected or read differently.',
    message: ({ subject }) => `${subject} no longer allows reserved characters`,
  },
  'parameter-serialisation-changed': {
    title: 'Parameter serialization changed',
    explain:
      'The parameter is described by `content` instead of `schema`, or the other way round, so its value is serialized differently.',
    message: ({ subject, before, after }) =>
      `${subject} is now serialized by ${after === 'content' ? 'its media type (content)' : 'its style (schema)'} instead of ${before === 'content' ? 'its media type (content)' : 'its style (schema)'}`,
  },
  'parameter-style-changed': {
    title: 'Parameter style changed',
    explain:
      'Values are serialized differently, so the service misreads what clients send. If the serialized text is the same in both styles, the change is not breaking.',
    message: ({ subject, before, after }) => `Style of ${subject} changed ${fromTo(before, after)}`,
  },
  'parameter-sunset-added': {
    title: 'Invalid sunset date of a parameter',
    explain:
      'The parameter was deprecated with a sunset date that is not a date or has already passed, so clients cannot plan. Only profiles that use `x-sunset` report it.',
    message: ({ subject, after }) => `Sunset date ${shorten(after)} of ${subject} is not a future date`,
    noOpposite: 'A removed date is reported by the rule for removed sunset dates.',
    aliases: ['request-parameter-sunset-parse'],
  },
  'parameter-sunset-changed': {
    title: 'Sunset date of a parameter changed',
    explain:
      'The date on which the parameter is removed changed. An earlier date is breaking: clients have less time than announced.',
    message: ({ subject, before, after }) => `Sunset date of ${subject} changed ${fromTo(before, after)}`,
    aliases: ['request-parameter-sunset-date-changed-too-small', 'request-parameter-sunset-date-too-small'],
  },
  'parameter-sunset-removed': {
    title: 'Sunset date of a parameter removed',
    explain: 'The parameter is still deprecated, but the date of its removal is no longer announced.',
    message: ({ subject, before }) => `Sunset date ${shorten(before)} of ${subject} was removed`,
    noOpposite: 'Announcing a date is part of the deprecation.',
    aliases: ['request-parameter-sunset-deleted'],
  },
})
