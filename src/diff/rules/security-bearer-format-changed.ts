import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'security',
  kind: 'bearer-format',
  action: 'changed',
  title: 'Bearer format changed',
  explain:
    'A hint at what the token is. Clients that make or read tokens may fail (switch `security-scheme-endpoint-changed`).',
  message: (fact) =>
    `${fact.subject}: the bearer format changed from ${shorten(fact.before ?? 'none')} to ${shorten(fact.after ?? 'none')}`,
  mirror: 'security-bearer-format-changed',
} satisfies Rule as Rule
