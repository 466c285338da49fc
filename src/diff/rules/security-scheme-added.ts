import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'security',
  kind: 'scheme',
  action: 'added',
  title: 'Security scheme added',
  explain: 'The document describes one more scheme; operations that ask for it are told on their own.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'security-scheme-removed',
  aliases: ['api-security-component-added'],
} satisfies Rule as Rule
