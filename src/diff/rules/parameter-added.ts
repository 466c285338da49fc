import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'itself',
  action: 'added',
  title: 'Parameter added',
  explain: 'A required parameter breaks requests that were complete without it; an optional one breaks nobody.',
  message: (fact) => `${fact.subject} was added${fact.verdict === 'safe' ? '' : ' and is required'}`,
  mirror: 'parameter-removed',
  aliases: [
    'new-optional-request-default-parameter-to-existing-path',
    'new-optional-request-parameter',
    'new-request-path-parameter',
    'new-required-request-default-parameter-to-existing-path',
    'new-required-request-parameter',
  ],
} satisfies Rule as Rule
