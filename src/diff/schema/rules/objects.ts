import { addedTo, fromTo, schemaName, shorten } from '../../describe.ts'
import { ruleTable } from '../../rule.ts'
import { tightens, loosens, depends } from './effects.ts'

export const schemaObjectRules = ruleTable('schema', 'any', {
  'schema-additional-properties-added': {
    title: 'Additional properties allowed',
    explain: `The object can now contain properties that the schema does not list. ${loosens}`,
    message: ({ subject }) => `Additional properties of ${subject} are now allowed`,
  },
  'schema-additional-properties-changed': {
    title: 'Schema of additional properties changed',
    explain: `The schema of properties that are not listed changed. ${depends}`,
    message: ({ subject, before, after }) =>
      `Schema of additional properties of ${subject} changed ${fromTo(before, after, schemaName)}`,
  },
  'schema-additional-properties-removed': {
    title: 'Additional properties no longer allowed',
    explain: `The object can no longer contain properties that the schema does not list. ${tightens}`,
    message: ({ subject }) => `Additional properties of ${subject} are no longer allowed`,
  },
  'schema-dependent-required-added': {
    title: 'Dependent properties added',
    explain: `If one property is present, others are now required. ${tightens}`,
    message: ({ subject, after }) => `Some properties of ${subject} now require others: ${shorten(after)}`,
    aliases: [
      'request-body-dependent-required-added',
      'request-property-dependent-required-added',
      'response-body-dependent-required-added',
      'response-property-dependent-required-added',
    ],
  },
  'schema-dependent-required-changed': {
    title: 'Dependent properties changed',
    explain: `The list of properties that are required if another property is present changed. ${depends}`,
    message: ({ subject, before, after }) => `Dependent properties of ${subject} changed ${fromTo(before, after)}`,
    aliases: [
      'request-body-dependent-required-changed',
      'request-property-dependent-required-changed',
      'response-body-dependent-required-changed',
      'response-property-dependent-required-changed',
    ],
  },
  'schema-dependent-required-removed': {
    title: 'Dependent properties removed',
    explain: `A property no longer requires other properties. ${loosens}`,
    message: ({ subject, before }) => `Properties of ${subject} no longer require others: ${shorten(before)}`,
    aliases: [
      'request-body-dependent-required-removed',
      'request-property-dependent-required-removed',
      'response-body-dependent-required-removed',
      'response-property-dependent-required-removed',
    ],
  },
  'schema-dependent-schemas-added': {
    title: 'Dependent schema added',
    explain: `If a property is present, the object must now match an additional schema. ${depends}`,
    message: ({ subject, after }) =>
      `${subject} must now match an additional schema if a property is present: ${shorten(after)}`,
    aliases: [
      'request-body-dependent-schema-added',
      'request-property-dependent-schema-added',
      'response-body-dependent-schema-added',
      'response-property-dependent-schema-added',
    ],
  },
  'schema-dependent-schemas-changed': {
    title: 'Dependent schema changed',
    explain: `The schema that applies if a property is present changed. ${depends}`,
    message: ({ subject, before, after }) =>
      `Schema of ${subject} that applies if a property is present changed ${fromTo(before, after)}`,
  },
  'schema-dependent-schemas-removed': {
    title: 'Dependent schema removed',
    explain: `The object no longer has to match an additional schema if a property is present. ${depends}`,
    message: ({ subject, before }) =>
      `${subject} no longer has to match an additional schema if a property is present: ${shorten(before)}`,
    aliases: [
      'request-body-dependent-schema-removed',
      'request-property-dependent-schema-removed',
      'response-body-dependent-schema-removed',
      'response-property-dependent-schema-removed',
    ],
  },
  'schema-max-properties-added': {
    title: 'Maximum number of properties added',
    explain: `The schema now has a maximum number of properties. ${tightens}`,
    message: ({ subject, after }) => `Maximum number of properties of ${subject} was set to ${shorten(after)}`,
  },
  'schema-max-properties-decreased': {
    title: 'Maximum number of properties reduced',
    explain: `The maximum number of properties is lower than before. ${tightens}`,
    message: ({ subject, before, after }) =>
      `Maximum number of properties of ${subject} was reduced ${fromTo(before, after)}`,
  },
  'schema-max-properties-increased': {
    title: 'Maximum number of properties increased',
    explain: `The maximum number of properties is higher than before. ${loosens}`,
    message: ({ subject, before, after }) =>
      `Maximum number of properties of ${subject} was increased ${fromTo(before, after)}`,
  },
  'schema-max-properties-removed': {
    title: 'Maximum number of properties removed',
    explain: `The schema no longer has a maximum number of properties. ${loosens}`,
    message: ({ subject, before }) => `Maximum number of properties of ${subject} (${shorten(before)}) was removed`,
  },
  'schema-min-properties-added': {
    title: 'Minimum number of properties added',
    explain: `The schema now has a minimum number of properties. ${tightens}`,
    message: ({ subject, after }) => `Minimum number of properties of ${subject} was set to ${shorten(after)}`,
  },
  'schema-min-properties-decreased': {
    title: 'Minimum number of properties reduced',
    explain: `The minimum number of properties is lower than before. ${loosens}`,
    message: ({ subject, before, after }) =>
      `Minimum number of properties of ${subject} was reduced ${fromTo(before, after)}`,
  },
  'schema-min-properties-increased': {
    title: 'Minimum number of properties increased',
    explain: `The minimum number of properties is higher than before. ${tightens}`,
    message: ({ subject, before, after }) =>
      `Minimum number of properties of ${subject} was increased ${fromTo(before, after)}`,
  },
  'schema-min-properties-removed': {
    title: 'Minimum number of properties removed',
    explain: `The schema no longer has a minimum number of properties. ${loosens}`,
    message: ({ subject, before }) => `Minimum number of properties of ${subject} (${shorten(before)}) was removed`,
  },
  'schema-optional-property-added': {
    title: 'Optional property added',
    explain:
      'The object has a new optional property. In a request this is breaking only if a schema applied to properties of this name before and allowed values that the new property rejects. In a response it is breaking only if the object did not allow the property before.',
    message: ({ subject, verdict, direction }) =>
      `Optional property ${subject} was added${addedTo({ verdict, direction })}`,
    aliases: [
      'new-optional-request-property',
      'response-optional-property-added',
      'response-optional-write-only-property-added',
    ],
  },
  'schema-optional-property-removed': {
    title: 'Optional property removed',
    explain:
      'In a request the property is ignored, or rejected if the object does not allow additional properties; by default this is breaking (switch `request-property-removed`). In a response the property was never guaranteed; the switch `response-optional-property-removed` decides whether the change is breaking.',
    message: ({ subject }) => `Optional property ${subject} was removed`,
    aliases: [
      'request-property-removed',
      'response-optional-property-removed',
      'response-optional-write-only-property-removed',
    ],
  },
  'schema-pattern-properties-added': {
    title: 'Pattern properties added',
    explain: `Properties whose names match a pattern now have a schema. ${depends}`,
    message: ({ subject, after }) => `Pattern properties were added to ${subject}: ${shorten(after)}`,
    aliases: [
      'request-body-pattern-property-added',
      'request-property-pattern-property-added',
      'response-body-pattern-property-added',
      'response-property-pattern-property-added',
    ],
  },
  'schema-pattern-properties-changed': {
    title: 'Pattern properties changed',
    explain: `The schemas of properties whose names match a pattern changed. ${depends}`,
    message: ({ subject, before, after }) => `Pattern properties of ${subject} changed ${fromTo(before, after)}`,
  },
  'schema-pattern-properties-removed': {
    title: 'Pattern properties removed',
    explain: `Properties whose names match a pattern no longer have a schema. ${depends}`,
    message: ({ subject, before }) => `Pattern properties of ${subject} were removed: ${shorten(before)}`,
    aliases: [
      'request-body-pattern-property-removed',
      'request-property-pattern-property-removed',
      'response-body-pattern-property-removed',
      'response-property-pattern-property-removed',
    ],
  },
  'schema-property-names-added': {
    title: 'Property names limited',
    explain: `The names of properties must now match a schema. ${tightens}`,
    message: ({ subject, after }) => `Property names of ${subject} must now match ${shorten(after)}`,
    aliases: [
      'request-body-property-names-added',
      'request-property-property-names-added',
      'response-body-property-names-added',
      'response-property-property-names-added',
    ],
  },
  'schema-property-names-changed': {
    title: 'Schema of property names changed',
    explain: `The schema that property names must match changed. ${depends}`,
    message: ({ subject, before, after }) =>
      `Schema of the property names of ${subject} changed ${fromTo(before, after)}`,
  },
  'schema-property-names-removed': {
    title: 'Property names no longer limited',
    explain: `The names of properties no longer have to match a schema. ${loosens}`,
    message: ({ subject, before }) => `Property names of ${subject} no longer have to match ${shorten(before)}`,
    aliases: [
      'request-body-property-names-removed',
      'request-property-property-names-removed',
      'response-body-property-names-removed',
      'response-property-property-names-removed',
    ],
  },
  'schema-required-added': {
    title: 'Property became required',
    explain: `The property must now be present. ${tightens}`,
    message: ({ subject }) => `${subject} is now required`,
    aliases: [
      'request-body-became-required',
      'request-header-property-became-required',
      'request-parameter-became-required',
      'request-property-became-required',
      'request-property-became-required-with-default',
      'response-property-became-required',
      'response-write-only-property-became-required',
    ],
  },
  'schema-required-property-added': {
    title: 'Required property added',
    explain: `The object has a new required property. ${tightens}`,
    message: ({ subject }) => `Required property ${subject} was added`,
    aliases: [
      'new-required-request-header-property',
      'new-required-request-property',
      'new-required-request-property-with-default',
      'response-required-property-added',
      'response-required-write-only-property-added',
    ],
  },
  'schema-required-property-removed': {
    title: 'Required property removed',
    explain:
      'In a response clients that rely on the property no longer receive it. In a request the property is ignored, or rejected if the object does not allow additional properties; by default this is breaking (switch `request-property-removed`).',
    message: ({ subject }) => `Required property ${subject} was removed`,
    aliases: [
      'request-property-removed',
      'response-required-property-removed',
      'response-required-write-only-property-removed',
    ],
  },
  'schema-required-removed': {
    title: 'Property became optional',
    explain: `The property can now be omitted. ${loosens}`,
    message: ({ subject }) => `${subject} is now optional`,
    aliases: [
      'request-body-became-optional',
      'request-parameter-became-optional',
      'request-property-became-optional',
      'response-header-became-optional',
      'response-property-became-optional',
      'response-write-only-property-became-optional',
    ],
  },
  'schema-unevaluated-added': {
    title: 'Unevaluated members limited',
    explain: `Properties or items that no other keyword covers are now limited. ${tightens}`,
    message: ({ subject, after }) =>
      after === false
        ? `Unevaluated members of ${subject} are no longer allowed`
        : `Unevaluated members of ${subject} must now match ${schemaName(after)}`,
    aliases: [
      'request-body-unevaluated-items-added',
      'request-body-unevaluated-properties-added',
      'request-property-unevaluated-items-added',
      'request-property-unevaluated-properties-added',
      'response-body-unevaluated-items-added',
      'response-body-unevaluated-properties-added',
      'response-property-unevaluated-items-added',
      'response-property-unevaluated-properties-added',
    ],
  },
  'schema-unevaluated-changed': {
    title: 'Schema of unevaluated members changed',
    explain: `The schema of properties or items that no other keyword covers changed. ${depends}`,
    message: ({ subject, before, after }) =>
      `Schema of unevaluated members of ${subject} changed ${fromTo(before, after, schemaName)}`,
  },
  'schema-unevaluated-removed': {
    title: 'Unevaluated members no longer limited',
    explain: `Properties or items that no other keyword covers are no longer limited. ${loosens}`,
    message: ({ subject }) => `Unevaluated members of ${subject} are now allowed`,
    aliases: [
      'request-body-unevaluated-items-removed',
      'request-body-unevaluated-properties-removed',
      'request-property-unevaluated-items-removed',
      'request-property-unevaluated-properties-removed',
      'response-body-unevaluated-items-removed',
      'response-body-unevaluated-properties-removed',
      'response-property-unevaluated-items-removed',
      'response-property-unevaluated-properties-removed',
    ],
  },
})
