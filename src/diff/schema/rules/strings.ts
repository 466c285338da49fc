import { fromTo, shorten } from '../../describe.ts'
import { ruleTable } from '../../rule.ts'
import { tightens, loosens, depends } from './effects.ts'

export const schemaStringRules = ruleTable('schema', 'any', {
  'schema-content-added': {
    title: 'Embedded content described',
    explain: `The string now has a content encoding, media type or schema. ${tightens}`,
    message: ({ subject, after }) => `${subject} must now contain ${shorten(after)}`,
    aliases: [
      'request-body-content-schema-added',
      'request-property-content-schema-added',
      'response-body-content-schema-added',
      'response-property-content-schema-added',
    ],
  },
  'schema-content-changed': {
    title: 'Embedded content changed',
    explain: `The content encoding, media type or schema of the string changed. ${depends}`,
    message: ({ subject, before, after }) => `Content of ${subject} changed ${fromTo(before, after)}`,
    aliases: [
      'request-body-content-encoding-changed',
      'request-body-content-media-type-changed',
      'request-property-content-encoding-changed',
      'request-property-content-media-type-changed',
      'response-body-content-encoding-changed',
      'response-body-content-media-type-changed',
      'response-property-content-encoding-changed',
      'response-property-content-media-type-changed',
    ],
  },
  'schema-content-removed': {
    title: 'Embedded content no longer described',
    explain: `The string no longer has a content encoding, media type or schema. ${loosens}`,
    message: ({ subject, before }) => `${subject} no longer has to contain ${shorten(before)}`,
    aliases: [
      'request-body-content-schema-removed',
      'request-property-content-schema-removed',
      'response-body-content-schema-removed',
      'response-property-content-schema-removed',
    ],
  },
  'schema-format-added': {
    title: 'Format added',
    explain: `The string or number must now have a format. ${tightens} If the format cannot be checked, the change is undecided.`,
    message: ({ subject, after }) => `Format ${shorten(after)} was added to ${subject}`,
  },
  'schema-format-changed': {
    title: 'Format changed',
    explain: `The format of the string or number changed. ${depends} If the format cannot be checked, the change is undecided.`,
    message: ({ subject, before, after }) => `Format of ${subject} changed ${fromTo(before, after)}`,
  },
  'schema-format-removed': {
    title: 'Format removed',
    explain: `The string or number no longer has to have a format. ${loosens} If the format cannot be checked, the change is undecided.`,
    message: ({ subject, before }) => `Format ${shorten(before)} of ${subject} was removed`,
  },
  'schema-max-length-added': {
    title: 'Maximum length added',
    explain: `The schema now has a maximum length. ${tightens}`,
    message: ({ subject, after }) => `Maximum length of ${subject} was set to ${shorten(after)}`,
    aliases: ['request-body-max-length-set', 'request-parameter-max-length-set', 'request-property-max-length-set'],
  },
  'schema-max-length-decreased': {
    title: 'Maximum length reduced',
    explain: `The maximum length is lower than before. ${tightens}`,
    message: ({ subject, before, after }) => `Maximum length of ${subject} was reduced ${fromTo(before, after)}`,
    aliases: [
      'request-body-max-length-decreased',
      'request-parameter-max-length-decreased',
      'request-property-max-length-decreased',
      'request-read-only-property-max-length-decreased',
    ],
  },
  'schema-max-length-increased': {
    title: 'Maximum length increased',
    explain: `The maximum length is higher than before. ${loosens}`,
    message: ({ subject, before, after }) => `Maximum length of ${subject} was increased ${fromTo(before, after)}`,
    aliases: [
      'request-body-max-length-increased',
      'request-parameter-max-length-increased',
      'request-property-max-length-increased',
      'response-body-max-length-increased',
      'response-property-max-length-increased',
    ],
  },
  'schema-max-length-removed': {
    title: 'Maximum length removed',
    explain: `The schema no longer has a maximum length. ${loosens}`,
    message: ({ subject, before }) => `Maximum length of ${subject} (${shorten(before)}) was removed`,
    aliases: ['response-body-max-length-unset', 'response-property-max-length-unset'],
  },
  'schema-min-length-added': {
    title: 'Minimum length added',
    explain: `The schema now has a minimum length. ${tightens}`,
    message: ({ subject, after }) => `Minimum length of ${subject} was set to ${shorten(after)}`,
  },
  'schema-min-length-decreased': {
    title: 'Minimum length reduced',
    explain: `The minimum length is lower than before. ${loosens}`,
    message: ({ subject, before, after }) => `Minimum length of ${subject} was reduced ${fromTo(before, after)}`,
    aliases: [
      'request-body-min-length-decreased',
      'request-parameter-min-length-decreased',
      'request-property-min-length-decreased',
      'response-body-min-length-decreased',
      'response-property-min-length-decreased',
    ],
  },
  'schema-min-length-increased': {
    title: 'Minimum length increased',
    explain: `The minimum length is higher than before. ${tightens}`,
    message: ({ subject, before, after }) => `Minimum length of ${subject} was increased ${fromTo(before, after)}`,
    aliases: [
      'request-body-min-length-increased',
      'request-parameter-min-length-increased',
      'request-property-min-length-increased',
    ],
  },
  'schema-min-length-removed': {
    title: 'Minimum length removed',
    explain: `The schema no longer has a minimum length. ${loosens}`,
    message: ({ subject, before }) => `Minimum length of ${subject} (${shorten(before)}) was removed`,
  },
  'schema-pattern-added': {
    title: 'Pattern added',
    explain: `The string must now match a regular expression. ${tightens}`,
    message: ({ subject, after }) => `Pattern ${shorten(after)} was added to ${subject}`,
    aliases: ['request-parameter-pattern-added', 'request-property-pattern-added', 'response-property-pattern-added'],
  },
  'schema-pattern-changed': {
    title: 'Pattern changed',
    explain: `The string must match another regular expression. ${depends} Patterns are compared by the strings that they match.`,
    message: ({ subject, before, after }) => `Pattern of ${subject} changed ${fromTo(before, after)}`,
    aliases: [
      'request-parameter-pattern-changed',
      'request-parameter-pattern-generalized',
      'request-property-pattern-changed',
      'request-property-pattern-generalized',
      'response-property-pattern-changed',
    ],
  },
  'schema-pattern-removed': {
    title: 'Pattern removed',
    explain: `The string no longer has to match a regular expression. ${loosens}`,
    message: ({ subject, before }) => `Pattern ${shorten(before)} of ${subject} was removed`,
    aliases: [
      'request-parameter-pattern-removed',
      'request-property-pattern-removed',
      'response-property-pattern-removed',
    ],
  },
})
