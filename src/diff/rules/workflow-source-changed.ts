import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'source',
  action: 'changed',
  title: 'Source description changed',
  explain: 'The workflows call the operations of another document, or of one at another address.',
  message: (fact) => `${fact.subject} changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'workflow-source-changed',
} satisfies Rule as Rule
