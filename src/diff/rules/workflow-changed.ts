import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'itself',
  action: 'changed',
  title: 'Workflow changed',
  explain: 'A workflow of an Arazzo document. Whoever runs it by name relies on it.',
  message: (fact) => `${fact.subject} was changed`,
  mirror: 'workflow-changed',
} satisfies Rule as Rule
