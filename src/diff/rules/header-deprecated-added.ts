import type { Rule } from '../rule.ts'

export default {
  direction: 'response',
  area: 'header',
  kind: 'deprecated',
  action: 'added',
  title: 'Response header deprecated',
  explain: 'It still comes; plan to do without it.',
  message: (fact) => `${fact.subject} is deprecated`,
  mirror: 'header-deprecated-removed',
} satisfies Rule as Rule
