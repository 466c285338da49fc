import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'discriminator',
  action: 'changed',
  title: 'Discriminator changed',
  explain: 'Another property tells the branches apart. Clients that look at the old one choose wrongly.',
  message: (fact) =>
    `${fact.subject}: the discriminator changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-discriminator-changed',
  aliases: [
    'request-body-discriminator-property-name-changed',
    'request-property-discriminator-property-name-changed',
    'response-body-discriminator-property-name-changed',
    'response-property-discriminator-property-name-changed',
  ],
} satisfies Rule as Rule
