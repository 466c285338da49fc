import { countOf, fromTo, lengthOf, shorten } from '../../describe.ts'
import { ruleTable } from '../../rule.ts'
import { tightens, loosens, depends } from './effects.ts'

export const schemaArrayRules = ruleTable('schema', 'any', {
  'schema-contains-added': {
    title: 'contains added',
    explain: `The array must now contain matching items. ${tightens}`,
    message: ({ subject, after }) => `${subject} must now contain items that match ${shorten(after)}`,
    aliases: [
      'request-body-contains-added',
      'request-property-contains-added',
      'response-body-contains-added',
      'response-property-contains-added',
    ],
  },
  'schema-contains-changed': {
    title: 'contains changed',
    explain: `The items that the array must contain, or their number, changed. ${depends}`,
    message: ({ subject, before, after }) =>
      typeof (before ?? after) === 'number'
        ? `Number of matching items in ${subject} changed ${fromTo(before ?? 'unlimited', after ?? 'unlimited')}`
        : `Items that ${subject} must contain changed ${fromTo(before, after)}`,
    aliases: [
      'request-body-max-contains-decreased',
      'request-body-max-contains-increased',
      'request-body-min-contains-decreased',
      'request-body-min-contains-increased',
      'request-property-max-contains-decreased',
      'request-property-max-contains-increased',
      'request-property-min-contains-decreased',
      'request-property-min-contains-increased',
      'response-body-max-contains-decreased',
      'response-body-max-contains-increased',
      'response-body-min-contains-decreased',
      'response-body-min-contains-increased',
      'response-property-max-contains-decreased',
      'response-property-max-contains-increased',
      'response-property-min-contains-decreased',
      'response-property-min-contains-increased',
    ],
  },
  'schema-contains-removed': {
    title: 'contains removed',
    explain: `The array no longer has to contain matching items. ${loosens}`,
    message: ({ subject, before }) => `${subject} no longer has to contain items that match ${shorten(before)}`,
    aliases: [
      'request-body-contains-removed',
      'request-property-contains-removed',
      'response-body-contains-removed',
      'response-property-contains-removed',
    ],
  },
  'schema-items-added': {
    title: 'Item schema added',
    explain: `The items of the array now have a schema. ${tightens}`,
    message: ({ subject }) => `Items of ${subject} now have a schema`,
  },
  'schema-items-removed': {
    title: 'Item schema removed',
    explain: `The items of the array no longer have a schema. ${loosens}`,
    message: ({ subject }) => `Items of ${subject} no longer have a schema`,
  },
  'schema-max-items-added': {
    title: 'Maximum number of items added',
    explain: `The schema now has a maximum number of items. ${tightens}`,
    message: ({ subject, after }) => `Maximum number of items of ${subject} was set to ${shorten(after)}`,
  },
  'schema-max-items-decreased': {
    title: 'Maximum number of items reduced',
    explain: `The maximum number of items is lower than before. ${tightens}`,
    message: ({ subject, before, after }) =>
      `Maximum number of items of ${subject} was reduced ${fromTo(before, after)}`,
    aliases: ['request-parameter-max-items-decreased'],
  },
  'schema-max-items-increased': {
    title: 'Maximum number of items increased',
    explain: `The maximum number of items is higher than before. ${loosens}`,
    message: ({ subject, before, after }) =>
      `Maximum number of items of ${subject} was increased ${fromTo(before, after)}`,
    aliases: ['request-parameter-max-items-increased'],
  },
  'schema-max-items-removed': {
    title: 'Maximum number of items removed',
    explain: `The schema no longer has a maximum number of items. ${loosens}`,
    message: ({ subject, before }) => `Maximum number of items of ${subject} (${shorten(before)}) was removed`,
  },
  'schema-min-items-added': {
    title: 'Minimum number of items added',
    explain: `The schema now has a minimum number of items. ${tightens}`,
    message: ({ subject, after }) => `Minimum number of items of ${subject} was set to ${shorten(after)}`,
    aliases: ['request-body-min-items-set', 'request-parameter-min-items-set', 'request-property-min-items-set'],
  },
  'schema-min-items-decreased': {
    title: 'Minimum number of items reduced',
    explain: `The minimum number of items is lower than before. ${loosens}`,
    message: ({ subject, before, after }) =>
      `Minimum number of items of ${subject} was reduced ${fromTo(before, after)}`,
    aliases: [
      'request-parameter-min-items-decreased',
      'response-body-min-items-decreased',
      'response-property-min-items-decreased',
    ],
  },
  'schema-min-items-increased': {
    title: 'Minimum number of items increased',
    explain: `The minimum number of items is higher than before. ${tightens}`,
    message: ({ subject, before, after }) =>
      `Minimum number of items of ${subject} was increased ${fromTo(before, after)}`,
    aliases: [
      'request-body-min-items-increased',
      'request-parameter-min-items-increased',
      'request-property-min-items-increased',
    ],
  },
  'schema-min-items-removed': {
    title: 'Minimum number of items removed',
    explain: `The schema no longer has a minimum number of items. ${loosens}`,
    message: ({ subject, before }) => `Minimum number of items of ${subject} (${shorten(before)}) was removed`,
    aliases: ['response-body-min-items-unset', 'response-property-min-items-unset'],
  },
  'schema-prefix-items-added': {
    title: 'Tuple added',
    explain: `The first items of the array now have their own schemas. ${depends}`,
    message: ({ subject, after }) => `The first ${countOf(after)} of ${subject} now have their own schemas`,
    aliases: [
      'request-body-prefix-items-added',
      'request-property-prefix-items-added',
      'response-body-prefix-items-added',
      'response-property-prefix-items-added',
    ],
  },
  'schema-prefix-items-changed': {
    title: 'Tuple changed',
    explain: `The number of first items that have their own schemas changed. ${depends}`,
    message: ({ subject, before, after }) =>
      `Number of first items of ${subject} that have their own schemas changed from ${lengthOf(before)} to ${lengthOf(after)}`,
  },
  'schema-prefix-items-removed': {
    title: 'Tuple removed',
    explain: `The first items of the array no longer have their own schemas. ${depends}`,
    message: ({ subject, before }) => `The first ${countOf(before)} of ${subject} no longer have their own schemas`,
    aliases: [
      'request-body-prefix-items-removed',
      'request-property-prefix-items-removed',
      'response-body-prefix-items-removed',
      'response-property-prefix-items-removed',
    ],
  },
  'schema-unique-items-added': {
    title: 'Items must be unique',
    explain: `The array can no longer contain duplicate items (\`uniqueItems\`). ${tightens}`,
    message: ({ subject }) => `Items of ${subject} must now be unique`,
  },
  'schema-unique-items-removed': {
    title: 'Items need not be unique',
    explain: `The array can now contain duplicate items (\`uniqueItems\`). ${loosens}`,
    message: ({ subject }) => `Items of ${subject} no longer have to be unique`,
  },
})
