import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'serialisation',
  action: 'changed',
  title: 'Serialisation of a parameter changed',
  explain:
    'How lists and objects are written into the request. Clients that write them the old way are misread; single values are written the same way in any style.',
  message: (fact) =>
    `${fact.subject} is now written as ${fact.after === 'content' ? 'a media type (content)' : 'plain text (schema)'}, no longer as ${fact.before === 'content' ? 'a media type (content)' : 'plain text (schema)'}`,
  mirror: 'parameter-serialisation-changed',
} satisfies Rule as Rule
