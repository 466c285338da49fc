import { discriminatorName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'discriminator',
  action: 'removed',
  title: 'Discriminator removed',
  explain:
    'No property tells the branches apart any more. The values stay the same; generated clients may need a new build.',
  message: (fact) =>
    `${fact.subject}: ${discriminatorName(fact.before)} no longer tells the branches apart (discriminator)`,
  mirror: 'schema-discriminator-added',
  aliases: [
    'request-body-discriminator-removed',
    'request-property-discriminator-removed',
    'response-body-discriminator-removed',
    'response-property-discriminator-removed',
  ],
} satisfies Rule as Rule
