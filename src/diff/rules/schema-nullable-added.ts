import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'nullable',
  action: 'added',
  title: 'Null allowed',
  explain:
    '`null` became a value. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: null is now allowed`,
  mirror: 'schema-nullable-removed',
  aliases: [
    'request-body-became-nullable',
    'request-parameter-became-nullable',
    'request-parameter-property-became-nullable',
    'request-property-became-nullable',
    'response-body-became-nullable',
    'response-header-became-nullable',
    'response-property-became-nullable',
  ],
} satisfies Rule as Rule
