import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'operation',
  kind: 'itself',
  action: 'added',
  title: 'Operation added',
  explain: 'A new operation breaks nobody.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'operation-removed',
  aliases: ['endpoint-added'],
} satisfies Rule as Rule
