import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'step',
  action: 'added',
  title: 'Step of a workflow added',
  explain: 'What a workflow does, in which order. Its inputs and outputs are compared on their own.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'workflow-step-removed',
} satisfies Rule as Rule
