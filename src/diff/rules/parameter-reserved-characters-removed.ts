import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'reserved-characters',
  action: 'removed',
  title: 'Reserved characters no longer allowed',
  explain: 'A request that relies on reserved characters is refused or misread.',
  message: (fact) => `${fact.subject} no longer takes reserved characters`,
  mirror: 'parameter-reserved-characters-added',
} satisfies Rule as Rule
