import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'required',
  action: 'added',
  title: 'Property became required',
  explain:
    'The property has to be there. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject} became required`,
  mirror: 'schema-required-removed',
  aliases: [
    'request-body-became-required',
    'request-header-property-became-required',
    'request-parameter-became-required',
    'request-property-became-required',
    'request-property-became-required-with-default',
    'response-property-became-required',
    'response-write-only-property-became-required',
  ],
} satisfies Rule as Rule
