import type { Rule } from '../rule.ts'

export default {
  direction: 'response',
  area: 'header',
  kind: 'deprecated',
  action: 'removed',
  title: 'Response header no longer deprecated',
  explain: 'It is there to stay after all.',
  message: (fact) => `${fact.subject} is no longer deprecated`,
  mirror: 'header-deprecated-added',
} satisfies Rule as Rule
