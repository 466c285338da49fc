import { branchName, branchNames, discriminatorName, fromTo, shorten, targetName } from '../../describe.ts'
import { ruleTable } from '../../rule.ts'
import { tightens, loosens, depends } from './effects.ts'

export const schemaChoiceRules = ruleTable('schema', 'any', {
  'schema-all-of-added': {
    title: 'allOf member added',
    explain:
      'Values must match an additional schema. What that schema requires decides whether the change is breaking; only profiles that count the members report it separately.',
    message: ({ subject, after }) => `${subject} must now also match ${branchName(after)} (allOf)`,
    aliases: [
      'request-body-all-of-added',
      'request-body-all-of-added-annotation-only',
      'request-property-all-of-added',
      'request-property-all-of-added-annotation-only',
      'response-body-all-of-added',
      'response-body-all-of-added-annotation-only',
      'response-property-all-of-added',
      'response-property-all-of-added-annotation-only',
    ],
  },
  'schema-all-of-removed': {
    title: 'allOf member removed',
    explain:
      'Values no longer have to match this schema. What that schema required decides whether the change is breaking; only profiles that count the members report it separately.',
    message: ({ subject, before }) => `${subject} no longer has to match ${branchName(before)} (allOf)`,
    aliases: [
      'request-body-all-of-removed',
      'request-body-all-of-removed-annotation-only',
      'request-property-all-of-removed',
      'request-property-all-of-removed-annotation-only',
      'response-body-all-of-removed',
      'response-body-all-of-removed-annotation-only',
      'response-property-all-of-removed',
      'response-property-all-of-removed-annotation-only',
    ],
  },
  'schema-any-of-added': {
    title: 'anyOf added',
    explain: `Values must now match at least one of several schemas. ${depends}`,
    message: ({ subject, after }) => `${subject} must now match at least one of ${branchNames(after)} (anyOf)`,
    aliases: [
      'request-body-any-of-added',
      'request-property-any-of-added',
      'response-body-any-of-added',
      'response-property-any-of-added',
    ],
  },
  'schema-any-of-branch-added': {
    title: 'anyOf branch added',
    explain: `Values can match an additional schema. ${loosens}`,
    message: ({ subject, after }) => `${subject} can now also be ${branchName(after)} (anyOf)`,
    aliases: [
      'request-body-any-of-added',
      'request-property-any-of-added',
      'response-body-any-of-added',
      'response-property-any-of-added',
    ],
  },
  'schema-any-of-branch-removed': {
    title: 'anyOf branch removed',
    explain: `Values can no longer match this schema. ${tightens}`,
    message: ({ subject, before }) => `${subject} can no longer be ${branchName(before)} (anyOf)`,
    aliases: [
      'request-body-any-of-removed',
      'request-property-any-of-removed',
      'response-body-any-of-removed',
      'response-property-any-of-removed',
    ],
  },
  'schema-any-of-removed': {
    title: 'anyOf removed',
    explain: `Values no longer have to match one of several schemas. ${depends}`,
    message: ({ subject, before }) => `${subject} no longer has to match one of ${branchNames(before)} (anyOf)`,
    aliases: [
      'request-body-any-of-removed',
      'request-property-any-of-removed',
      'response-body-any-of-removed',
      'response-property-any-of-removed',
    ],
  },
  'schema-condition-added': {
    title: 'Condition (if/then/else) added',
    explain: `Values must meet an additional condition. ${depends}`,
    message: ({ subject, after }) => `A condition (if/then/else) was added to ${subject}: ${shorten(after)}`,
    aliases: [
      'request-body-else-added',
      'request-body-if-added',
      'request-body-then-added',
      'request-property-else-added',
      'request-property-if-added',
      'request-property-then-added',
      'response-body-else-added',
      'response-body-if-added',
      'response-body-then-added',
      'response-property-else-added',
      'response-property-if-added',
      'response-property-then-added',
    ],
  },
  'schema-condition-changed': {
    title: 'Condition (if/then/else) changed',
    explain: `The condition that values must meet changed. ${depends}`,
    message: ({ subject, before, after }) =>
      `A condition (if/then/else) of ${subject} changed ${fromTo(before, after)}`,
  },
  'schema-condition-removed': {
    title: 'Condition (if/then/else) removed',
    explain: `Values no longer have to meet this condition. ${depends}`,
    message: ({ subject, before }) => `A condition (if/then/else) of ${subject} was removed: ${shorten(before)}`,
    aliases: [
      'request-body-else-removed',
      'request-body-if-removed',
      'request-body-then-removed',
      'request-property-else-removed',
      'request-property-if-removed',
      'request-property-then-removed',
      'response-body-else-removed',
      'response-body-if-removed',
      'response-body-then-removed',
      'response-property-else-removed',
      'response-property-if-removed',
      'response-property-then-removed',
    ],
  },
  'schema-discriminator-added': {
    title: 'Discriminator added',
    explain: 'A property now selects the schema that applies. The valid values do not change.',
    message: ({ subject, after }) => `Discriminator ${discriminatorName(after)} was added to ${subject}`,
    aliases: [
      'request-body-discriminator-added',
      'request-property-discriminator-added',
      'response-body-discriminator-added',
      'response-property-discriminator-added',
    ],
  },
  'schema-discriminator-changed': {
    title: 'Discriminator changed',
    explain:
      'Another property selects the schema that applies. Clients that read the old property choose the wrong schema.',
    message: ({ subject, before, after }) =>
      `Discriminator of ${subject} changed from ${discriminatorName(before)} to ${discriminatorName(after)}`,
    aliases: [
      'request-body-discriminator-property-name-changed',
      'request-property-discriminator-property-name-changed',
      'response-body-discriminator-property-name-changed',
      'response-property-discriminator-property-name-changed',
    ],
  },
  'schema-discriminator-mapping-added': {
    title: 'Discriminator value added',
    explain:
      'An additional value selects a schema. In a response this is breaking if it replaces a value that clients know.',
    message: ({ subject, after }) => `${subject} now selects ${targetName(after)}`,
    aliases: [
      'request-body-discriminator-mapping-added',
      'request-property-discriminator-mapping-added',
      'response-body-discriminator-mapping-added',
      'response-property-discriminator-mapping-added',
    ],
  },
  'schema-discriminator-mapping-changed': {
    title: 'Discriminator value changed',
    explain: 'A value selects another schema than before. Clients that send or read it use the wrong schema.',
    message: ({ subject, before, after }) =>
      `${subject} now selects ${targetName(after)} instead of ${targetName(before)}`,
    aliases: [
      'request-body-discriminator-mapping-changed',
      'request-property-discriminator-mapping-changed',
      'response-body-discriminator-mapping-changed',
      'response-property-discriminator-mapping-changed',
    ],
  },
  'schema-discriminator-mapping-removed': {
    title: 'Discriminator value removed',
    explain: 'A value no longer selects a schema. Requests that contain it can no longer be validated.',
    message: ({ subject, before }) => `${subject} no longer selects ${targetName(before)}`,
    aliases: [
      'request-body-discriminator-mapping-deleted',
      'request-property-discriminator-mapping-deleted',
      'response-body-discriminator-mapping-deleted',
      'response-property-discriminator-mapping-deleted',
    ],
  },
  'schema-discriminator-removed': {
    title: 'Discriminator removed',
    explain:
      'No property selects the schema any more. The valid values do not change; generated clients may have to be regenerated.',
    message: ({ subject, before }) => `Discriminator ${discriminatorName(before)} of ${subject} was removed`,
    aliases: [
      'request-body-discriminator-removed',
      'request-property-discriminator-removed',
      'response-body-discriminator-removed',
      'response-property-discriminator-removed',
    ],
  },
  'schema-not-added': {
    title: 'not added',
    explain: `Values that match a schema are now invalid. ${tightens}`,
    message: ({ subject, after }) => `${subject} must now not match ${shorten(after)}`,
  },
  'schema-not-changed': {
    title: 'not changed',
    explain: `The schema that values must not match changed. ${depends}`,
    message: ({ subject, before, after }) => `Schema that ${subject} must not match changed ${fromTo(before, after)}`,
  },
  'schema-not-removed': {
    title: 'not removed',
    explain: `Values that match this schema are now valid. ${loosens}`,
    message: ({ subject, before }) => `${subject} may now match ${shorten(before)}`,
  },
  'schema-one-of-added': {
    title: 'oneOf added',
    explain: `Values must now match exactly one of several schemas. A value that matches two of them is invalid, so overlapping branches can be breaking. ${depends}`,
    message: ({ subject, after }) => `${subject} must now match exactly one of ${branchNames(after)} (oneOf)`,
    aliases: [
      'request-body-wrapped-in-one-of',
      'response-body-wrapped-in-one-of',
      'request-body-one-of-added',
      'request-property-one-of-added',
      'response-body-one-of-added',
      'response-property-one-of-added',
    ],
  },
  'schema-one-of-branch-added': {
    title: 'oneOf branch added',
    explain: `Values can match an additional schema. If it overlaps with another branch, values that match both become invalid. ${depends}`,
    message: ({ subject, after }) => `${subject} can now also be ${branchName(after)} (oneOf)`,
    aliases: [
      'request-body-one-of-added',
      'request-property-one-of-added',
      'response-body-one-of-added',
      'response-property-one-of-added',
    ],
  },
  'schema-one-of-branch-removed': {
    title: 'oneOf branch removed',
    explain: `Values can no longer match this schema. If it overlaps with another branch, values that match both become valid. ${depends}`,
    message: ({ subject, before }) => `${subject} can no longer be ${branchName(before)} (oneOf)`,
    aliases: [
      'request-body-one-of-removed',
      'request-property-one-of-removed',
      'response-body-one-of-removed',
      'response-property-one-of-removed',
    ],
  },
  'schema-one-of-removed': {
    title: 'oneOf removed',
    explain: `Values no longer have to match exactly one of several schemas. ${depends}`,
    message: ({ subject, before }) => `${subject} no longer has to match exactly one of ${branchNames(before)} (oneOf)`,
    aliases: [
      'request-body-one-of-removed',
      'request-property-one-of-removed',
      'response-body-one-of-removed',
      'response-property-one-of-removed',
    ],
  },
})
