import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'deprecated',
  action: 'removed',
  title: 'Parameter no longer deprecated',
  explain: 'It is there to stay after all.',
  message: (fact) => `${fact.subject} is no longer deprecated`,
  mirror: 'parameter-deprecated-added',
  aliases: ['request-parameter-reactivated'],
} satisfies Rule as Rule
