import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'output',
  action: 'removed',
  title: 'Output of a workflow removed',
  explain: 'What a workflow hands to whoever runs it. A missing output breaks those who read it.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'workflow-output-added',
} satisfies Rule as Rule
