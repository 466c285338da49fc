import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'multiple-of',
  action: 'changed',
  title: 'Step changed',
  explain:
    'The step of which a number has to be a multiple was changed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) => `${fact.subject} had to be a multiple of ${shorten(fact.before)}, now of ${shorten(fact.after)}`,
  mirror: 'schema-multiple-of-changed',
} satisfies Rule as Rule
