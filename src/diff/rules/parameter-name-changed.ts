import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'name',
  action: 'changed',
  title: 'Parameter renamed',
  explain: 'The name of a path parameter is not part of a request; other names are.',
  message: (fact) => `${fact.subject} is now called ${shorten(fact.after)}`,
  mirror: 'parameter-name-changed',
} satisfies Rule as Rule
