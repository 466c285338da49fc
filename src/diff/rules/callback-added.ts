import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'callback',
  kind: 'itself',
  action: 'added',
  title: 'Callback added',
  explain: 'The service makes one more kind of call. Who does not subscribe notices nothing.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'callback-removed',
} satisfies Rule as Rule
