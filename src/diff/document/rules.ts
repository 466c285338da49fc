import { fromTo, tagChange, tagList, tagNames } from '../describe.ts'
import { ruleTable } from '../rule.ts'

export const documentRules = ruleTable('document', null, {
  'document-added': {
    title: 'File added',
    explain: 'A comparison of two folders or archives found a description that only the newer one contains.',
    message: ({ subject }) => `${subject} was added`,
  },
  'document-removed': {
    title: 'File removed',
    explain:
      'A comparison of two folders or archives found a description that only the older one contains. Clients cannot rely on it any more.',
    message: ({ subject }) => `${subject} was removed`,
  },
  'document-changed': {
    title: 'Kind of document changed',
    explain: 'The two documents are of different kinds, for example OpenAPI and Arazzo. They cannot be compared.',
    message: ({ subject, before, after }) => `${subject} changed ${fromTo(before, after)}`,
  },
  'document-documentation-added': {
    title: 'Documentation added',
    explain:
      'Text for readers was added: descriptions, summaries, titles, examples, contact, license, version or extensions. Requests and responses do not change.',
    message: ({ subject }) => `${subject} was added`,
  },
  'document-documentation-changed': {
    title: 'Documentation changed',
    explain:
      'Text for readers changed: descriptions, summaries, titles, examples, contact, license, version or extensions. Requests and responses do not change.',
    message: ({ subject }) => `${subject} was changed`,
    aliases: [
      'api-major-version-not-bumped',
      'api-version-decreased',
      'api-version-not-bumped',
      'api-security-component-oauth-scope-changed',
    ],
  },
  'document-documentation-removed': {
    title: 'Documentation removed',
    explain:
      'Text for readers was removed: descriptions, summaries, titles, examples, contact, license, version or extensions. Requests and responses do not change.',
    message: ({ subject }) => `${subject} was removed`,
  },
  'document-reference-changed': {
    title: 'Reference without target',
    explain:
      'A parameter, response, body, header, callback or path item is referenced, but no document contains it. It cannot be compared, even if both sides refer to it in the same way.',
    message: ({ subject }) => `what ${subject} names could not be compared`,
  },
  'document-tags-added': {
    title: 'Tags added',
    explain: 'The document now has a list of tags. Documentation uses it to group operations.',
    message: ({ after }) => `tags added: ${tagList(tagNames(after))}`,
  },
  'document-tags-changed': {
    title: 'Tags changed',
    explain: 'The list of tags changed. Documentation uses it to group operations.',
    message: ({ subject, before, after, verdict }) =>
      verdict === 'docs' ? `Descriptions of ${subject} changed` : `${subject}: ${tagChange(before, after)}`,
  },
  'document-tags-removed': {
    title: 'Tags removed',
    explain: 'The document no longer has a list of tags. Documentation uses it to group operations.',
    message: ({ before }) => `tags removed: ${tagList(tagNames(before))}`,
  },
})
