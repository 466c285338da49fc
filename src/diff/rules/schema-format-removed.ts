import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'format',
  action: 'removed',
  title: 'Format removed',
  explain:
    'The format of a text or number was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more. Formats nobody can check leave the change undecided.',
  message: (fact) => `${fact.subject}: the format ${shorten(fact.before)} was removed`,
  mirror: 'schema-format-added',
} satisfies Rule as Rule
