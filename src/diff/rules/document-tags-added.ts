import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'document',
  kind: 'tags',
  action: 'added',
  title: 'Tags added',
  explain: 'The list by which documentation is ordered.',
  message: (fact) => `${fact.subject} were added`,
  mirror: 'document-tags-removed',
} satisfies Rule as Rule
