import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'document',
  kind: 'documentation',
  action: 'removed',
  title: 'Documentation removed',
  explain:
    'Text for people: descriptions, summaries, titles, examples, contacts, licences, the version label, extensions. Nothing that a program relies on.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'document-documentation-added',
} satisfies Rule as Rule
