import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'step',
  action: 'changed',
  title: 'Step of a workflow changed',
  explain: 'What a workflow does, in which order. Its inputs and outputs are compared on their own.',
  message: (fact) =>
    `${fact.subject} changed from ${shorten(fact.before ?? 'nothing')} to ${shorten(fact.after ?? 'nothing')}`,
  mirror: 'workflow-step-changed',
} satisfies Rule as Rule
