import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'multiple-of',
  action: 'removed',
  title: 'Step removed',
  explain:
    'The step of which a number has to be a multiple was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject} no longer has to be a multiple of ${shorten(fact.before)}`,
  mirror: 'schema-multiple-of-added',
} satisfies Rule as Rule
