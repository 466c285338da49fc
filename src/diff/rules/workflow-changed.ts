import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'workflow',
  kind: 'itself',
  action: 'changed',
  title: 'Workflow changed',
  explain: 'A workflow of an Arazzo document. Whoever runs it by name relies on it.',
  message: (fact) =>
    `${fact.subject} changed from ${shorten(fact.before ?? 'nothing')} to ${shorten(fact.after ?? 'nothing')}`,
  mirror: 'workflow-changed',
} satisfies Rule as Rule
