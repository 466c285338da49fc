import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'server',
  kind: 'itself',
  action: 'removed',
  title: 'Server removed',
  explain:
    'The address is no longer announced. Whether it still answers is not in the document; the switch `server-removed` can call it breaking.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'server-added',
} satisfies Rule as Rule
