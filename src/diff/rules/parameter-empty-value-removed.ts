import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'empty-value',
  action: 'removed',
  title: 'Empty values no longer allowed',
  explain: 'A request that relies on empty values is refused or misread.',
  message: (fact) => `${fact.subject} no longer takes empty values`,
  mirror: 'parameter-empty-value-added',
} satisfies Rule as Rule
