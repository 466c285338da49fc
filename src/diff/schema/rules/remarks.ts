import { fromTo, shorten } from '../../describe.ts'
import { ruleTable } from '../../rule.ts'

export const schemaRemarkRules = ruleTable('schema', 'any', {
  'schema-default-added': {
    title: 'Default added',
    explain:
      'The default is the value that applies if none is given. The switches `request-default-changed`, `request-parameter-default-changed` and `response-default-changed` decide whether the change is breaking.',
    message: ({ subject, after }) => `Default ${shorten(after)} was added to ${subject}`,
    aliases: [
      'request-body-default-value-added',
      'request-parameter-default-value-added',
      'request-property-default-value-added',
      'response-body-default-value-added',
      'response-property-default-value-added',
    ],
  },
  'schema-default-changed': {
    title: 'Default changed',
    explain:
      'Another value than before applies if none is given. The switches `request-default-changed`, `request-parameter-default-changed` and `response-default-changed` decide whether the change is breaking.',
    message: ({ subject, before, after }) => `Default of ${subject} changed ${fromTo(before, after)}`,
    aliases: [
      'request-body-default-value-changed',
      'request-parameter-default-value-changed',
      'request-property-default-value-changed',
      'response-body-default-value-changed',
      'response-property-default-value-changed',
    ],
  },
  'schema-default-removed': {
    title: 'Default removed',
    explain:
      'The schema no longer says which value applies if none is given. The switches `request-default-changed`, `request-parameter-default-changed` and `response-default-changed` decide whether the change is breaking.',
    message: ({ subject, before }) => `Default ${shorten(before)} of ${subject} was removed`,
    aliases: [
      'request-body-default-value-removed',
      'request-parameter-default-value-removed',
      'request-property-default-value-removed',
      'response-body-default-value-removed',
      'response-property-default-value-removed',
    ],
  },
  'schema-deprecated-added': {
    title: 'Property or schema deprecated',
    explain: 'Its values are still accepted and sent. Clients should plan to stop using it.',
    message: ({ subject }) => `${subject} is now deprecated`,
    aliases: [
      'request-property-sunset-date-too-small',
      'response-property-sunset-date-too-small',
      'request-property-deprecated',
      'request-property-deprecated-sunset-invalid',
      'request-property-deprecated-sunset-missing',
      'request-property-deprecated-with-sunset',
      'response-property-deprecated',
      'response-property-deprecated-sunset-invalid',
      'response-property-deprecated-sunset-missing',
      'response-property-deprecated-with-sunset',
    ],
  },
  'schema-deprecated-removed': {
    title: 'Property or schema no longer deprecated',
    explain: 'Clients can continue to use it.',
    message: ({ subject }) => `${subject} is no longer deprecated`,
    aliases: ['request-property-reactivated', 'response-property-reactivated'],
  },
  'schema-read-only-added': {
    title: 'Property became read-only',
    explain:
      'A read-only property that clients send is ignored or rejected. In a request this is breaking by default (switch `request-property-read-only`).',
    message: ({ subject }) => `${subject} is now read-only`,
    aliases: [
      'request-optional-property-became-read-only',
      'request-required-property-became-read-only',
      'response-optional-property-became-read-only',
      'response-required-property-became-read-only',
    ],
  },
  'schema-read-only-removed': {
    title: 'Property no longer read-only',
    explain: 'Clients can now send the property. If it is required, they must send it.',
    message: ({ subject }) => `${subject} is no longer read-only`,
    aliases: [
      'request-optional-property-became-not-read-only',
      'request-required-property-became-not-read-only',
      'response-optional-property-became-not-read-only',
      'response-required-property-became-not-read-only',
    ],
  },
  'schema-stability-decreased': {
    title: 'Stability level of a property lowered',
    explain:
      'The level in `x-stability-level` of the property is lower than before or unknown. Only profiles that use this extension report it.',
    message: ({ subject, before, after }) =>
      `Stability level of ${subject} was lowered ${fromTo(before ?? 'stable', after ?? 'stable')}`,
    aliases: ['request-property-stability-decreased', 'response-property-stability-decreased'],
  },
  'schema-stability-increased': {
    title: 'Stability level of a property raised',
    explain:
      'The level in `x-stability-level` of the property is higher than before. Only profiles that use this extension report it.',
    message: ({ subject, before, after }) =>
      `Stability level of ${subject} was raised ${fromTo(before ?? 'stable', after ?? 'stable')}`,
    aliases: ['request-property-stability-increased', 'response-property-stability-increased'],
  },
  'schema-write-only-added': {
    title: 'Property became write-only',
    explain:
      'A write-only property is not part of responses. In a response this is breaking by default (switch `response-property-write-only`).',
    message: ({ subject }) => `${subject} is now write-only`,
    aliases: [
      'request-optional-property-became-write-only',
      'request-required-property-became-write-only',
      'response-optional-property-became-write-only',
      'response-required-property-became-write-only',
    ],
  },
  'schema-write-only-removed': {
    title: 'Property no longer write-only',
    explain: 'Responses can now contain the property. If it is required, they always contain it.',
    message: ({ subject }) => `${subject} is no longer write-only`,
    aliases: [
      'request-optional-property-became-not-write-only',
      'request-required-property-became-not-write-only',
      'response-optional-property-became-not-write-only',
      'response-required-property-became-not-write-only',
    ],
  },
  'schema-xml-added': {
    title: 'XML representation added',
    explain:
      'The `xml` object changes how the value is written in XML. Its effect on readers cannot be decided, so the change is undecided. Bodies that are not XML are not affected.',
    message: ({ subject, after }) => `XML representation of ${subject} changed to ${shorten(after)}`,
  },
  'schema-xml-changed': {
    title: 'XML representation changed',
    explain:
      'The `xml` object changes how the value is written in XML. Its effect on readers cannot be decided, so the change is undecided. Bodies that are not XML are not affected.',
    message: ({ subject, before, after }) => `XML representation of ${subject} changed ${fromTo(before, after)}`,
  },
  'schema-xml-removed': {
    title: 'XML representation removed',
    explain:
      'The `xml` object changes how the value is written in XML. Its effect on readers cannot be decided, so the change is undecided. Bodies that are not XML are not affected.',
    message: ({ subject, before }) => `XML representation of ${subject} was removed: ${shorten(before)}`,
  },
})
