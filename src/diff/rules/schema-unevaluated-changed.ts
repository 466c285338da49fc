import { schemaName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'unevaluated',
  action: 'changed',
  title: 'Rule for what no other rule looks at changed',
  explain:
    'What holds for members that no other keyword looks at was changed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    `${fact.subject}: what is allowed where nothing else describes it changed from ${schemaName(fact.before)} to ${schemaName(fact.after)}`,
  mirror: 'schema-unevaluated-changed',
} satisfies Rule as Rule
