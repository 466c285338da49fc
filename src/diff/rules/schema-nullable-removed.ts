import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'nullable',
  action: 'removed',
  title: 'Null no longer allowed',
  explain:
    '`null` is a value no more. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: null is no longer allowed`,
  mirror: 'schema-nullable-added',
  aliases: [
    'request-body-became-not-nullable',
    'request-parameter-became-not-nullable',
    'request-parameter-property-became-not-nullable',
    'request-property-became-not-nullable',
    'response-body-became-not-nullable',
    'response-header-became-not-nullable',
    'response-property-became-not-nullable',
  ],
} satisfies Rule as Rule
