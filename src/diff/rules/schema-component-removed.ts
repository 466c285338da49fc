import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'schema',
  kind: 'component',
  action: 'removed',
  title: 'Named schema removed',
  explain:
    'The document no longer names a schema. By itself it breaks nobody; where it was used, those changes are told there.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'schema-component-added',
  aliases: ['api-schema-removed'],
} satisfies Rule as Rule
