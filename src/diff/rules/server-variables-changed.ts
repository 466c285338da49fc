import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'server',
  kind: 'variables',
  action: 'changed',
  title: 'Server variables changed',
  explain: 'What can be put into the address.',
  message: (fact) => `the variables of ${fact.subject} changed`,
  mirror: 'server-variables-changed',
} satisfies Rule as Rule
