import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'security',
  kind: 'flow',
  action: 'added',
  title: 'OAuth flow added',
  explain: 'One more way to get a token.',
  message: (fact) => `${fact.subject}: the flow ${shorten(fact.after)} was added`,
  mirror: 'security-flow-removed',
} satisfies Rule as Rule
