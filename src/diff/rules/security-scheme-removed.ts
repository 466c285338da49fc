import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'security',
  kind: 'scheme',
  action: 'removed',
  title: 'Security scheme removed',
  explain: 'The document no longer describes it; operations that asked for it are told on their own.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'security-scheme-added',
  aliases: ['api-security-component-removed'],
} satisfies Rule as Rule
