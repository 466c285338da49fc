import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'operation',
  kind: 'stability',
  action: 'increased',
  title: 'Stability raised',
  explain:
    'The level in `x-stability-level` promises more than before. Only profiles that agree on this extension look at it.',
  message: (fact) =>
    `${fact.subject} is now ${shorten(fact.after ?? 'stable')}; it was ${shorten(fact.before ?? 'stable')}`,
  mirror: 'operation-stability-decreased',
  aliases: ['api-stability-increased'],
} satisfies Rule as Rule
