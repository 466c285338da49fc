import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'document',
  kind: 'tags',
  action: 'removed',
  title: 'Tags removed',
  explain: 'The list by which documentation is ordered.',
  message: (fact) => `${fact.subject} were removed`,
  mirror: 'document-tags-added',
} satisfies Rule as Rule
