import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'source',
  action: 'added',
  title: 'Source description added',
  explain: 'One more document whose operations the workflows can call.',
  message: (fact) => `${fact.subject} (${shorten(fact.after)}) was added`,
  mirror: 'workflow-source-removed',
} satisfies Rule as Rule
