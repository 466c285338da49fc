import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'operation',
  kind: 'sunset',
  action: 'removed',
  title: 'Sunset removed',
  explain: 'The announced day of the end is gone while the operation stays deprecated: nobody knows how long it lives.',
  message: (fact) =>
    `${fact.subject}: the announced end (${shorten(fact.before)}) was taken back, though it stays deprecated`,
  mirror: null,
  waiver: 'Announcing a sunset is told by the deprecation that it belongs to.',
  aliases: ['sunset-deleted'],
} satisfies Rule as Rule
