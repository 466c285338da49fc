import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'remote',
  kind: 'itself',
  action: 'removed',
  title: 'Address of a server removed',
  explain: 'Whoever is connected to this address is cut off.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'remote-added',
} satisfies Rule as Rule
