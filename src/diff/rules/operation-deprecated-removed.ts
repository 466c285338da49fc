import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'operation',
  kind: 'deprecated',
  action: 'removed',
  title: 'Operation no longer deprecated',
  explain: 'It is there to stay after all.',
  message: (fact) => `${fact.subject} is no longer deprecated`,
  mirror: 'operation-deprecated-added',
  aliases: ['endpoint-reactivated'],
} satisfies Rule as Rule
