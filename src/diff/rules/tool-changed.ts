import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'tool',
  kind: 'itself',
  action: 'changed',
  title: 'Tool changed',
  explain: 'A tool that agents call by name. A missing tool breaks them.',
  message: (fact) => `${fact.subject} was changed`,
  mirror: 'tool-changed',
} satisfies Rule as Rule
