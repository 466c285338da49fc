import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'default',
  action: 'added',
  title: 'Default added',
  explain:
    'What holds when the value is missing is now written down. The values stay the same; the switches `request-default-changed` and `response-default-changed` can call it breaking.',
  message: (fact) => `${fact.subject}: the default ${shorten(fact.after)} was added`,
  mirror: 'schema-default-removed',
  aliases: [
    'request-body-default-value-added',
    'request-parameter-default-value-added',
    'request-property-default-value-added',
    'response-body-default-value-added',
    'response-property-default-value-added',
  ],
} satisfies Rule as Rule
