import { list } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'step-order',
  action: 'changed',
  title: 'Order of steps changed',
  explain: 'The same steps run in another order. Inputs and outputs stay as they are.',
  message: (fact) => `${fact.subject} changed from ${list(fact.before)} to ${list(fact.after)}`,
  mirror: 'workflow-step-order-changed',
} satisfies Rule as Rule
