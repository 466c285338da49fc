import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'package',
  kind: 'itself',
  action: 'added',
  title: 'Package of a server added',
  explain: 'One more way to start the server.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'package-removed',
} satisfies Rule as Rule
