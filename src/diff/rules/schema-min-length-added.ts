import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'min-length',
  action: 'added',
  title: 'Minimum length set',
  explain:
    'The minimum length of texts was set. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: a minimum length of ${shorten(fact.after)} was set`,
  mirror: 'schema-min-length-removed',
} satisfies Rule as Rule
