import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'format',
  action: 'changed',
  title: 'Format changed',
  explain:
    'The format of a text or number was changed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value. Formats nobody can check leave the change undecided.',
  message: (fact) => `${fact.subject}: the format changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-format-changed',
} satisfies Rule as Rule
