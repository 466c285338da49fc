import { discriminatorName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'discriminator',
  action: 'changed',
  title: 'Discriminator changed',
  explain: 'Another property tells the branches apart. Clients that look at the old one choose wrongly.',
  message: (fact) =>
    `${fact.subject}: the branches were told apart by ${discriminatorName(fact.before)}, now by ${discriminatorName(fact.after)} (discriminator)`,
  mirror: 'schema-discriminator-changed',
  aliases: [
    'request-body-discriminator-property-name-changed',
    'request-property-discriminator-property-name-changed',
    'response-body-discriminator-property-name-changed',
    'response-property-discriminator-property-name-changed',
  ],
} satisfies Rule as Rule
