import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'operation',
  kind: 'stability',
  action: 'decreased',
  title: 'Stability lowered',
  explain:
    'The level in `x-stability-level` (draft, alpha, beta, stable) promises less than before, or is no level at all. Only profiles that agree on this extension look at it.',
  message: (fact) =>
    `${fact.subject} is now ${shorten(fact.after ?? 'stable')}; it was ${shorten(fact.before ?? 'stable')}`,
  mirror: 'operation-stability-increased',
  aliases: ['api-stability-decreased', 'api-invalid-stability-level'],
} satisfies Rule as Rule
