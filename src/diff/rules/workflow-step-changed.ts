import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'step',
  action: 'changed',
  title: 'Step of a workflow changed',
  explain: 'What a workflow does, in which order. Its inputs and outputs are compared on their own.',
  message: (fact) => `${fact.subject} was changed`,
  mirror: 'workflow-step-changed',
} satisfies Rule as Rule
