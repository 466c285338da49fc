import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'output',
  action: 'changed',
  title: 'Output of a workflow changed',
  explain: 'What a workflow hands to whoever runs it. A missing output breaks those who read it.',
  message: (fact) => `${fact.subject} changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'workflow-output-changed',
} satisfies Rule as Rule
