import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'document',
  kind: 'tags',
  action: 'changed',
  title: 'Tags changed',
  explain: 'The list by which documentation is ordered.',
  message: (fact) => `${fact.subject} were changed`,
  mirror: 'document-tags-changed',
} satisfies Rule as Rule
