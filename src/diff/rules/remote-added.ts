import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'remote',
  kind: 'itself',
  action: 'added',
  title: 'Address of a server added',
  explain: 'One more address to connect to.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'remote-removed',
} satisfies Rule as Rule
