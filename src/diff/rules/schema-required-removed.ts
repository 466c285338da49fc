import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'required',
  action: 'removed',
  title: 'Property became optional',
  explain:
    'The property may be missing. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject} became optional`,
  mirror: 'schema-required-added',
  aliases: [
    'request-body-became-optional',
    'request-parameter-became-optional',
    'request-property-became-optional',
    'response-header-became-optional',
    'response-property-became-optional',
    'response-write-only-property-became-optional',
  ],
} satisfies Rule as Rule
