import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'default',
  action: 'changed',
  title: 'Default changed',
  explain:
    'Something else holds when the value is missing. The values stay the same; the switches `request-default-changed` and `response-default-changed` can call it breaking.',
  message: (fact) => `${fact.subject}: the default changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-default-changed',
  aliases: [
    'request-body-default-value-changed',
    'request-parameter-default-value-changed',
    'request-property-default-value-changed',
    'response-body-default-value-changed',
    'response-property-default-value-changed',
  ],
} satisfies Rule as Rule
