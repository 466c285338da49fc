import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'security',
  kind: 'scope',
  action: 'added',
  title: 'OAuth scope added',
  explain: 'One more scope can be asked for.',
  message: (fact) => `${fact.subject}: the scope ${shorten(fact.after)} was added`,
  mirror: 'security-scope-removed',
  aliases: ['api-security-component-oauth-scope-added'],
} satisfies Rule as Rule
