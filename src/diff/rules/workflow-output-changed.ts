import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'output',
  action: 'changed',
  title: 'Output of a workflow changed',
  explain: 'What a workflow hands to whoever runs it. A missing output breaks those who read it.',
  message: (fact) => `${fact.subject} was changed`,
  mirror: 'workflow-output-changed',
} satisfies Rule as Rule
