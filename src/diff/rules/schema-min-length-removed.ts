import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'min-length',
  action: 'removed',
  title: 'Minimum length removed',
  explain:
    'The minimum length of texts was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: the minimum length of ${shorten(fact.before)} was removed`,
  mirror: 'schema-min-length-added',
} satisfies Rule as Rule
