import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'format',
  action: 'added',
  title: 'Format added',
  explain:
    'The format of a text or number was added. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more. Formats nobody can check leave the change undecided.',
  message: (fact) => `${fact.subject}: the format ${shorten(fact.after)} was added`,
  mirror: 'schema-format-removed',
} satisfies Rule as Rule
