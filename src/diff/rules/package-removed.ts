import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'package',
  kind: 'itself',
  action: 'removed',
  title: 'Package of a server removed',
  explain: 'Whoever starts the server from this package finds it no more.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'package-added',
} satisfies Rule as Rule
