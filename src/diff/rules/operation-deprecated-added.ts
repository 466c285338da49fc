import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'operation',
  kind: 'deprecated',
  action: 'added',
  title: 'Operation deprecated',
  explain: 'It still works; plan to do without it.',
  message: (fact) => `${fact.subject} is deprecated`,
  mirror: 'operation-deprecated-removed',
  aliases: ['endpoint-deprecated', 'endpoint-deprecated-with-sunset'],
} satisfies Rule as Rule
