import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'max-properties',
  action: 'increased',
  title: 'Maximum number of properties raised',
  explain:
    'The maximum number of properties of objects was raised. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) =>
    `${fact.subject}: the maximum number of properties was raised from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-max-properties-decreased',
} satisfies Rule as Rule
