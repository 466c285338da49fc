import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'operation',
  kind: 'operation-id',
  action: 'changed',
  title: 'Operation id changed',
  explain:
    'The name by which generated clients call it. Nothing on the wire changes; the switch `operation-id-changed` can call it breaking.',
  message: (fact) => `${fact.subject}: the operation id changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'operation-operation-id-changed',
} satisfies Rule as Rule
