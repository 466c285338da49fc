import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'itself',
  action: 'added',
  title: 'Workflow added',
  explain: 'A workflow of an Arazzo document. Whoever runs it by name relies on it.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'workflow-removed',
} satisfies Rule as Rule
