import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'stability',
  action: 'increased',
  title: 'Stability of a property raised',
  explain:
    'The level in `x-stability-level` of a property promises more than before. Only profiles that agree on this extension look at it.',
  message: (fact) =>
    `${fact.subject} is now ${shorten(fact.after ?? 'stable')}; it was ${shorten(fact.before ?? 'stable')}`,
  mirror: 'schema-stability-decreased',
  aliases: ['request-property-stability-increased', 'response-property-stability-increased'],
} satisfies Rule as Rule
