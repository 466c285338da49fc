import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'security',
  kind: 'endpoint',
  action: 'changed',
  title: 'OAuth address changed',
  explain:
    'Clients that hold the old address ask in vain when it stops answering (switch `security-scheme-endpoint-changed`).',
  message: (fact) =>
    `${fact.subject}: an address changed from ${shorten(fact.before ?? 'none')} to ${shorten(fact.after ?? 'none')}`,
  mirror: 'security-endpoint-changed',
  aliases: ['api-security-component-oauth-token-url-changed', 'api-security-component-oauth-url-changed'],
} satisfies Rule as Rule
