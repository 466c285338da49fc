import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'minimum',
  action: 'removed',
  title: 'Minimum removed',
  explain:
    'The minimum of numbers was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: the minimum of ${shorten(fact.before)} was removed`,
  mirror: 'schema-minimum-added',
} satisfies Rule as Rule
