import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'deprecated',
  action: 'added',
  title: 'Parameter deprecated',
  explain: 'It still works; plan to do without it.',
  message: (fact) => `${fact.subject} is deprecated`,
  mirror: 'parameter-deprecated-removed',
  aliases: ['request-parameter-deprecated', 'request-parameter-deprecated-sunset-missing'],
} satisfies Rule as Rule
