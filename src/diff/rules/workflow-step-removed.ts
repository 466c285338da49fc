import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'step',
  action: 'removed',
  title: 'Step of a workflow removed',
  explain: 'What a workflow does, in which order. Its inputs and outputs are compared on their own.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'workflow-step-added',
} satisfies Rule as Rule
