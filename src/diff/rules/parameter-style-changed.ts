import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'style',
  action: 'changed',
  title: 'Style of a parameter changed',
  explain:
    'How lists and objects are written into the request. Clients that write them the old way are misread; single values are written the same way in any style.',
  message: (fact) => `${fact.subject}: the style changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'parameter-style-changed',
} satisfies Rule as Rule
