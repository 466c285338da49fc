import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'tool',
  kind: 'itself',
  action: 'removed',
  title: 'Tool removed',
  explain: 'A tool that agents call by name. A missing tool breaks them.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'tool-added',
} satisfies Rule as Rule
