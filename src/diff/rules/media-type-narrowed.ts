import { list } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'media-type',
  kind: 'itself',
  action: 'narrowed',
  title: 'Range of media types narrowed',
  explain:
    'A range such as `application/*` was replaced by types that belong to it. A client that sends another type of the range is refused, so it breaks in a request; in a response it only promises more.',
  message: (fact) => `of ${fact.subject} only ${list(fact.after)} is left`,
  mirror: 'media-type-widened',
  aliases: ['response-media-type-name-specialized'],
} satisfies Rule as Rule
