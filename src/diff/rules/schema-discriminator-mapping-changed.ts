import { targetName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'discriminator-mapping',
  action: 'changed',
  title: 'Discriminator value changed',
  explain: 'A value names another branch than before: whoever sends or reads it means something else.',
  message: (fact) =>
    `${fact.subject} stood for ${targetName(fact.before)} and now stands for ${targetName(fact.after)}`,
  mirror: 'schema-discriminator-mapping-changed',
  aliases: [
    'request-body-discriminator-mapping-changed',
    'request-property-discriminator-mapping-changed',
    'response-body-discriminator-mapping-changed',
    'response-property-discriminator-mapping-changed',
  ],
} satisfies Rule as Rule
