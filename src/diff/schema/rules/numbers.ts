import { fromTo, shorten } from '../../describe.ts'
import { ruleTable } from '../../rule.ts'
import { tightens, loosens, depends } from './effects.ts'

export const schemaNumberRules = ruleTable('schema', 'any', {
  'schema-maximum-added': {
    title: 'Maximum added',
    explain: `The schema now has a maximum. ${tightens}`,
    message: ({ subject, after }) => `Maximum of ${subject} was set to ${shorten(after)}`,
    aliases: [
      'request-body-exclusive-max-set',
      'request-body-max-set',
      'request-parameter-exclusive-max-set',
      'request-parameter-max-set',
      'request-property-exclusive-max-set',
      'request-property-max-set',
    ],
  },
  'schema-maximum-decreased': {
    title: 'Maximum reduced',
    explain: `The maximum is lower than before. ${tightens}`,
    message: ({ subject, before, after }) => `Maximum of ${subject} was reduced ${fromTo(before, after)}`,
    aliases: [
      'request-body-exclusive-max-decreased',
      'request-body-max-decreased',
      'request-parameter-exclusive-max-decreased',
      'request-parameter-max-decreased',
      'request-property-exclusive-max-decreased',
      'request-property-max-decreased',
      'request-read-only-property-exclusive-max-decreased',
      'request-read-only-property-max-decreased',
    ],
  },
  'schema-maximum-increased': {
    title: 'Maximum increased',
    explain: `The maximum is higher than before. ${loosens}`,
    message: ({ subject, before, after }) => `Maximum of ${subject} was increased ${fromTo(before, after)}`,
    aliases: [
      'request-body-exclusive-max-increased',
      'request-body-max-increased',
      'request-parameter-exclusive-max-increased',
      'request-parameter-max-increased',
      'request-property-exclusive-max-increased',
      'request-property-max-increased',
      'response-body-exclusive-max-increased',
      'response-body-max-increased',
      'response-property-exclusive-max-increased',
      'response-property-max-increased',
    ],
  },
  'schema-maximum-removed': {
    title: 'Maximum removed',
    explain: `The schema no longer has a maximum. ${loosens}`,
    message: ({ subject, before }) => `Maximum of ${subject} (${shorten(before)}) was removed`,
  },
  'schema-minimum-added': {
    title: 'Minimum added',
    explain: `The schema now has a minimum. ${tightens}`,
    message: ({ subject, after }) => `Minimum of ${subject} was set to ${shorten(after)}`,
    aliases: [
      'request-body-exclusive-min-set',
      'request-body-min-set',
      'request-parameter-exclusive-min-set',
      'request-parameter-min-set',
      'request-property-exclusive-min-set',
      'request-property-min-set',
    ],
  },
  'schema-minimum-decreased': {
    title: 'Minimum reduced',
    explain: `The minimum is lower than before. ${loosens}`,
    message: ({ subject, before, after }) => `Minimum of ${subject} was reduced ${fromTo(before, after)}`,
    aliases: [
      'request-body-exclusive-min-decreased',
      'request-body-min-decreased',
      'request-parameter-exclusive-min-decreased',
      'request-parameter-min-decreased',
      'request-property-exclusive-min-decreased',
      'request-property-min-decreased',
      'response-body-exclusive-min-decreased',
      'response-body-min-decreased',
      'response-property-exclusive-min-decreased',
      'response-property-min-decreased',
    ],
  },
  'schema-minimum-increased': {
    title: 'Minimum increased',
    explain: `The minimum is higher than before. ${tightens}`,
    message: ({ subject, before, after }) => `Minimum of ${subject} was increased ${fromTo(before, after)}`,
    aliases: [
      'request-body-exclusive-min-increased',
      'request-body-min-increased',
      'request-parameter-exclusive-min-increased',
      'request-parameter-min-increased',
      'request-property-exclusive-min-increased',
      'request-property-min-increased',
      'request-read-only-property-exclusive-min-increased',
      'request-read-only-property-min-increased',
    ],
  },
  'schema-minimum-removed': {
    title: 'Minimum removed',
    explain: `The schema no longer has a minimum. ${loosens}`,
    message: ({ subject, before }) => `Minimum of ${subject} (${shorten(before)}) was removed`,
  },
  'schema-multiple-of-added': {
    title: 'multipleOf added',
    explain: `The number must now be a multiple of another number. ${tightens}`,
    message: ({ subject, after }) => `${subject} must now be a multiple of ${shorten(after)}`,
  },
  'schema-multiple-of-changed': {
    title: 'multipleOf changed',
    explain: `The number must be a multiple of a different number than before. ${depends}`,
    message: ({ subject, before, after }) =>
      `${subject} must now be a multiple of ${shorten(after)} instead of ${shorten(before)}`,
  },
  'schema-multiple-of-removed': {
    title: 'multipleOf removed',
    explain: `The number no longer has to be a multiple of another number. ${loosens}`,
    message: ({ subject, before }) => `${subject} no longer has to be a multiple of ${shorten(before)}`,
  },
})
