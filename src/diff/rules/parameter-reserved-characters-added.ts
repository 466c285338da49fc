import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'reserved-characters',
  action: 'added',
  title: 'Reserved characters allowed',
  explain: 'The parameter takes reserved characters.',
  message: (fact) => `${fact.subject} now takes reserved characters`,
  mirror: 'parameter-reserved-characters-removed',
} satisfies Rule as Rule
