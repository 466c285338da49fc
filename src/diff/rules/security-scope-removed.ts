import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'security',
  kind: 'scope',
  action: 'removed',
  title: 'OAuth scope removed',
  explain: 'Clients that ask for it are refused.',
  message: (fact) => `${fact.subject}: the scope ${shorten(fact.before)} was removed`,
  mirror: 'security-scope-added',
  aliases: ['api-security-component-oauth-scope-removed'],
} satisfies Rule as Rule
