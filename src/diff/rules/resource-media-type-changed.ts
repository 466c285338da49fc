import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'response',
  area: 'resource',
  kind: 'media-type',
  action: 'changed',
  title: 'Media type of a resource changed',
  explain:
    'What is read is of another kind now, so that those who read it cannot make sense of it. A media type that is named for the first time breaks nobody.',
  message: (fact) =>
    `${fact.subject} is now ${shorten(fact.after ?? 'of any kind')}; it was ${shorten(fact.before ?? 'of any kind')}`,
  mirror: 'resource-media-type-changed',
} satisfies Rule as Rule
