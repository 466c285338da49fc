import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'body',
  kind: 'itself',
  action: 'added',
  title: 'Request body added',
  explain: 'A required body breaks requests that were complete without one; an optional one breaks nobody.',
  message: (fact) => `${fact.subject} was added${fact.verdict === 'safe' ? '' : ' and is required'}`,
  mirror: 'body-removed',
  aliases: ['request-body-added-optional', 'request-body-added-required'],
} satisfies Rule as Rule
