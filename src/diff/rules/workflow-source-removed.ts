import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'source',
  action: 'removed',
  title: 'Source description removed',
  explain: 'The workflows call no operation of that document any more.',
  message: (fact) => `${fact.subject} (${shorten(fact.before)}) was removed`,
  mirror: 'workflow-source-added',
} satisfies Rule as Rule
