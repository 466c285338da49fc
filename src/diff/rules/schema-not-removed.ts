import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'not',
  action: 'removed',
  title: 'Exclusion (not) removed',
  explain:
    'The schema that values must not fit was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: these values are no longer excluded (not): ${shorten(fact.before)}`,
  mirror: 'schema-not-added',
} satisfies Rule as Rule
