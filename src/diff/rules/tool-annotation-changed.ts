import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'tool',
  kind: 'annotation',
  action: 'changed',
  title: 'Tool annotation changed',
  explain:
    'A hint for agents about what a tool does (read-only, destructive, idempotent, open world). A safety promise that is withdrawn breaks those who let it run unasked.',
  message: (fact) => `${fact.subject} changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'tool-annotation-changed',
} satisfies Rule as Rule
