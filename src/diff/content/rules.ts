import { fromTo, list } from '../describe.ts'
import { ruleTable } from '../rule.ts'

export const bodyRules = ruleTable('body', 'request', {
  'body-added': {
    title: 'Request body added',
    explain: 'If the body is required, requests without a body are now rejected. An optional body is not breaking.',
    message: ({ subject, verdict }) => `${subject} was added${verdict === 'safe' ? '' : ' and is required'}`,
    aliases: ['request-body-added-optional', 'request-body-added-required'],
  },
  'body-removed': {
    title: 'Request body removed',
    explain: 'The service no longer reads the body that clients send.',
    message: ({ subject }) => `${subject} was removed`,
    aliases: ['request-body-removed'],
  },
  'body-required-added': {
    title: 'Request body became required',
    explain: 'Requests without a body were valid and are now rejected.',
    message: ({ subject }) => `${subject} is now required`,
    aliases: ['request-body-became-required'],
  },
  'body-required-removed': {
    title: 'Request body became optional',
    explain: 'Clients can now omit the body.',
    message: ({ subject }) => `${subject} is now optional`,
    aliases: ['request-body-became-optional'],
  },
})

export const mediaTypeRules = ruleTable('media-type', 'any', {
  'media-type-added': {
    title: 'Media type added',
    explain:
      'The body is available in an additional media type. Clients receive it in a response only if they ask for it.',
    message: ({ subject }) => `Media type ${subject} was added`,
    aliases: ['request-body-media-type-added', 'response-media-type-added'],
  },
  'media-type-encoding-changed': {
    title: 'Encoding of a body changed',
    explain:
      'The `encoding` of a form or multipart body changed: content types, headers or the serialization of its parts. Accepting additional content types is not breaking.',
    message: ({ subject, before, after }) => `${subject} changed ${fromTo(before, after)}`,
  },
  'media-type-narrowed': {
    title: 'Media type range narrowed',
    explain:
      'A range such as `application/*` was replaced by specific media types of that range. In a request this is breaking: other types of the range are now rejected. In a response it is not breaking.',
    message: ({ subject, after }) => `Media type range ${subject} was narrowed to ${list(after)}`,
    aliases: ['response-media-type-name-specialized'],
  },
  'media-type-removed': {
    title: 'Media type removed',
    explain: 'Clients that send or read this media type fail.',
    message: ({ subject }) => `Media type ${subject} was removed`,
    aliases: ['response-media-type-name-changed', 'request-body-media-type-removed', 'response-media-type-removed'],
  },
  'media-type-schema-added': {
    title: 'Body schema added',
    explain:
      'The body could contain anything and now has a schema. In a request this can be breaking: bodies that do not match the schema are now rejected. In a response it is not breaking.',
    message: ({ subject }) => `${subject} now has a schema; before, any content was allowed`,
    aliases: ['request-body-media-type-schema-added', 'response-body-media-type-schema-added'],
  },
  'media-type-schema-removed': {
    title: 'Body schema removed',
    explain:
      'The body no longer has a schema and can contain anything. In a response this is breaking: clients cannot rely on its structure. In a request it is not breaking.',
    message: ({ subject }) => `${subject} no longer has a schema; any content is allowed`,
    aliases: ['request-body-media-type-schema-removed', 'response-body-media-type-schema-removed'],
  },
  'media-type-widened': {
    title: 'Media type range widened',
    explain:
      'A specific media type was replaced by a range such as `application/*`. In a response this is breaking: clients can receive media types that were not announced. In a request it is not breaking.',
    message: ({ subject }) => `Responses can now have any media type in the range ${subject}`,
    aliases: ['response-media-type-name-generalized'],
  },
})
