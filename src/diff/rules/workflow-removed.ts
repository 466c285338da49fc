import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'itself',
  action: 'removed',
  title: 'Workflow removed',
  explain: 'A workflow of an Arazzo document. Whoever runs it by name relies on it.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'workflow-added',
} satisfies Rule as Rule
