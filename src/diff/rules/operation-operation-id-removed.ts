import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'operation',
  kind: 'operation-id',
  action: 'removed',
  title: 'Operation id removed',
  explain:
    'The name by which generated clients call it. Nothing on the wire changes; the switch `operation-id-changed` can call it breaking.',
  message: (fact) => `${fact.subject}: the operation id ${shorten(fact.before)} was removed`,
  mirror: 'operation-operation-id-added',
  aliases: ['api-operation-id-removed'],
} satisfies Rule as Rule
