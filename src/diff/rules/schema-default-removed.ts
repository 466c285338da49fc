import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'default',
  action: 'removed',
  title: 'Default removed',
  explain: 'What holds when the value is missing is no longer written down.',
  message: (fact) => `${fact.subject}: the default ${shorten(fact.before)} was removed`,
  mirror: 'schema-default-added',
  aliases: [
    'request-body-default-value-removed',
    'request-parameter-default-value-removed',
    'request-property-default-value-removed',
    'response-body-default-value-removed',
    'response-property-default-value-removed',
  ],
} satisfies Rule as Rule
