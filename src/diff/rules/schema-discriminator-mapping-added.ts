import { targetName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'discriminator-mapping',
  action: 'added',
  title: 'Discriminator value added',
  explain: 'One more value names a branch. In a response it breaks when it replaces a value that clients know.',
  message: (fact) => `${fact.subject} now stands for ${targetName(fact.after)}`,
  mirror: 'schema-discriminator-mapping-removed',
  aliases: [
    'request-body-discriminator-mapping-added',
    'request-property-discriminator-mapping-added',
    'response-body-discriminator-mapping-added',
    'response-property-discriminator-mapping-added',
  ],
} satisfies Rule as Rule
