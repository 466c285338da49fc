import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'security',
  kind: 'alternative',
  action: 'removed',
  title: 'Way to authenticate removed',
  explain: 'Who called it this way is refused, unless what they show satisfies another alternative.',
  message: (fact) => `${fact.subject} is no longer possible`,
  mirror: 'security-alternative-added',
  aliases: ['api-global-security-removed', 'api-security-removed'],
} satisfies Rule as Rule
