import { tagNames } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'document',
  kind: 'tags',
  action: 'changed',
  title: 'Tags changed',
  explain: 'The list by which documentation is ordered.',
  message: (fact) =>
    fact.verdict === 'docs'
      ? `the texts of ${fact.subject} changed`
      : `${fact.subject} changed from ${tagNames(fact.before)} to ${tagNames(fact.after)}`,
  mirror: 'document-tags-changed',
} satisfies Rule as Rule
