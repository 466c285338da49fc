import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'resource',
  kind: 'itself',
  action: 'removed',
  title: 'Resource removed',
  explain: 'A resource, or a template of resources, that hosts read is gone.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'resource-added',
} satisfies Rule as Rule
