import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'itself',
  action: 'removed',
  title: 'Parameter removed',
  explain:
    'What a client sends there is no longer read. In the standard profile that counts as breaking (switch `request-parameter-removed`).',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'parameter-added',
  aliases: [
    'request-parameter-removed',
    'request-parameter-removed-before-sunset',
    'request-parameter-removed-with-deprecation',
  ],
} satisfies Rule as Rule
