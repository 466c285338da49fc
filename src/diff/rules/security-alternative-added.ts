import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'security',
  kind: 'alternative',
  action: 'added',
  title: 'Way to authenticate added',
  explain: 'One more way to be let in.',
  message: (fact) => `${fact.subject} is possible now`,
  mirror: 'security-alternative-removed',
  aliases: ['api-global-security-added', 'api-security-added'],
} satisfies Rule as Rule
