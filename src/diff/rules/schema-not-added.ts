import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'not',
  action: 'added',
  title: 'Exclusion (not) added',
  explain:
    'The schema that values must not fit was added. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: some values are now excluded (not): ${shorten(fact.after)}`,
  mirror: 'schema-not-removed',
} satisfies Rule as Rule
