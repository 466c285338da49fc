import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'response',
  area: 'link',
  kind: 'itself',
  action: 'changed',
  title: 'Link changed',
  explain:
    'A link tells how an answer leads to another operation. It is a hint to tools; the operations themselves are compared on their own.',
  message: (fact) => `${fact.subject} changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'link-changed',
} satisfies Rule as Rule
