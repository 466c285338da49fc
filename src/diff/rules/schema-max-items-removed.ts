import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'max-items',
  action: 'removed',
  title: 'Maximum number of items removed',
  explain:
    'The maximum number of items of lists was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: the number of items is no longer limited to ${shorten(fact.before)}`,
  mirror: 'schema-max-items-added',
} satisfies Rule as Rule
