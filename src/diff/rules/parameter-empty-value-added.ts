import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'empty-value',
  action: 'added',
  title: 'Empty values allowed',
  explain: 'The parameter takes empty values.',
  message: (fact) => `${fact.subject} now takes empty values`,
  mirror: 'parameter-empty-value-removed',
} satisfies Rule as Rule
