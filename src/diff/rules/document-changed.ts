import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'document',
  kind: 'itself',
  action: 'changed',
  title: 'Kind of document changed',
  explain:
    'The two sides are documents of different kinds, so nothing can be said about those who rely on one of them.',
  message: (fact) => `${fact.subject} changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'document-changed',
} satisfies Rule as Rule
