import type { Rule } from '../rule.ts'

export default {
  direction: 'response',
  area: 'header',
  kind: 'itself',
  action: 'removed',
  title: 'Response header removed',
  explain:
    'Clients that read it find nothing. Where it could have been missing before, the switch `response-optional-header-removed` decides.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'header-added',
  aliases: ['optional-response-header-removed', 'required-response-header-removed'],
} satisfies Rule as Rule
