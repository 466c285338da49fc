import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'media-type',
  kind: 'encoding',
  action: 'changed',
  title: 'Encoding of a body changed',
  explain: 'The parts of a form are written in another way.',
  message: (fact) => `${fact.subject} changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'media-type-encoding-changed',
} satisfies Rule as Rule
