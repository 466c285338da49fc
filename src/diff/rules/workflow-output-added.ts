import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'output',
  action: 'added',
  title: 'Output of a workflow added',
  explain: 'What a workflow hands to whoever runs it. A missing output breaks those who read it.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'workflow-output-removed',
} satisfies Rule as Rule
