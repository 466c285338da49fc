import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'multiple-of',
  action: 'added',
  title: 'Step added',
  explain:
    'The step of which a number has to be a multiple was added. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject} now has to be a multiple of ${shorten(fact.after)}`,
  mirror: 'schema-multiple-of-removed',
} satisfies Rule as Rule
