import { targetName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'discriminator-mapping',
  action: 'removed',
  title: 'Discriminator value removed',
  explain: 'A value names no branch any more.',
  message: (fact) => `${fact.subject} no longer stands for ${targetName(fact.before)}`,
  mirror: 'schema-discriminator-mapping-added',
  aliases: [
    'request-body-discriminator-mapping-deleted',
    'request-property-discriminator-mapping-deleted',
    'response-body-discriminator-mapping-deleted',
    'response-property-discriminator-mapping-deleted',
  ],
} satisfies Rule as Rule
