import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'tool',
  kind: 'itself',
  action: 'added',
  title: 'Tool added',
  explain: 'A tool that agents call by name. A missing tool breaks them.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'tool-removed',
} satisfies Rule as Rule
