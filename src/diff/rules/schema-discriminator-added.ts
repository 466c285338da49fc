import { discriminatorName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'discriminator',
  action: 'added',
  title: 'Discriminator added',
  explain: 'A property now tells the branches apart. The values stay the same, so it is no break.',
  message: (fact) => `${fact.subject}: ${discriminatorName(fact.after)} now tells the branches apart (discriminator)`,
  mirror: 'schema-discriminator-removed',
  aliases: [
    'request-body-discriminator-added',
    'request-property-discriminator-added',
    'response-body-discriminator-added',
    'response-property-discriminator-added',
  ],
} satisfies Rule as Rule
