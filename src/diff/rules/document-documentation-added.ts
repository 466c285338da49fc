import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'document',
  kind: 'documentation',
  action: 'added',
  title: 'Documentation added',
  explain:
    'Text for people: descriptions, summaries, titles, examples, contacts, licences, the version label, extensions. Nothing that a program relies on.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'document-documentation-removed',
} satisfies Rule as Rule
