import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'document',
  kind: 'documentation',
  action: 'changed',
  title: 'Documentation changed',
  explain:
    'Text for people: descriptions, summaries, titles, examples, contacts, licences, the version label, extensions. Nothing that a program relies on.',
  message: (fact) => `${fact.subject} was changed`,
  mirror: 'document-documentation-changed',
  aliases: [
    'api-major-version-not-bumped',
    'api-version-decreased',
    'api-version-not-bumped',
    'api-security-component-oauth-scope-changed',
  ],
} satisfies Rule as Rule
