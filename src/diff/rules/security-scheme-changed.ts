import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'security',
  kind: 'scheme',
  action: 'changed',
  title: 'Security scheme changed',
  explain: 'Credentials are shown in another way: clients that show them the old way are refused.',
  message: (fact) => `${fact.subject} changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'security-scheme-changed',
  aliases: ['api-security-component-type-changed'],
} satisfies Rule as Rule
