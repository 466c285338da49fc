import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'operation',
  kind: 'operation-id',
  action: 'added',
  title: 'Operation id added',
  explain:
    'The name by which generated clients call it. Nothing on the wire changes; the switch `operation-id-changed` can call it breaking.',
  message: (fact) => `${fact.subject}: the operation id was set to ${shorten(fact.after)}`,
  mirror: 'operation-operation-id-removed',
  aliases: ['api-operation-id-added'],
} satisfies Rule as Rule
