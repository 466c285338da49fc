import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'security',
  kind: 'flow',
  action: 'removed',
  title: 'OAuth flow removed',
  explain: 'Clients that get tokens this way get none.',
  message: (fact) => `${fact.subject}: the flow ${shorten(fact.before)} was removed`,
  mirror: 'security-flow-added',
} satisfies Rule as Rule
