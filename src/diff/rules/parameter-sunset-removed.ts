import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'sunset',
  action: 'removed',
  title: 'Sunset of a parameter removed',
  explain: 'The announced day of the end is gone while the parameter stays deprecated.',
  message: (fact) => `${fact.subject}: the sunset ${shorten(fact.before)} was removed`,
  mirror: null,
  waiver: 'Announcing a sunset is told by the deprecation that it belongs to.',
  aliases: ['request-parameter-sunset-deleted'],
} satisfies Rule as Rule
