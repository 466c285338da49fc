import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'operation',
  kind: 'itself',
  action: 'removed',
  title: 'Operation removed',
  explain:
    'Whoever calls it gets no answer. An announced sunset that has passed makes it a planned removal (switch `removed-after-sunset`).',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'operation-added',
  aliases: [
    'api-path-removed-before-sunset',
    'api-path-removed-with-deprecation',
    'api-path-removed-without-deprecation',
    'api-removed-before-sunset',
    'api-removed-with-deprecation',
    'api-removed-without-deprecation',
  ],
} satisfies Rule as Rule
