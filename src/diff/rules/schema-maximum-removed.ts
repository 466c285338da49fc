import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'maximum',
  action: 'removed',
  title: 'Maximum removed',
  explain:
    'The maximum of numbers was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: the maximum of ${shorten(fact.before)} was removed`,
  mirror: 'schema-maximum-added',
} satisfies Rule as Rule
