import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'explode',
  action: 'changed',
  title: 'Explode of a parameter changed',
  explain:
    'How lists and objects are written into the request. Clients that write them the old way are misread; single values are written the same way in any style.',
  message: (fact) =>
    `${fact.subject}: lists and objects are now written ${fact.after === true ? 'in several parts' : 'as one text'} (explode)`,
  mirror: 'parameter-explode-changed',
} satisfies Rule as Rule
