import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'stability',
  action: 'decreased',
  title: 'Stability of a property lowered',
  explain:
    'The level in `x-stability-level` of a property promises less than before, or is no level at all. Only profiles that agree on this extension look at it.',
  message: (fact) =>
    `${fact.subject} is now ${shorten(fact.after ?? 'stable')}; it was ${shorten(fact.before ?? 'stable')}`,
  mirror: 'schema-stability-increased',
  aliases: ['request-property-stability-decreased', 'response-property-stability-decreased'],
} satisfies Rule as Rule
