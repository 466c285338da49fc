import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'schema',
  kind: 'component',
  action: 'added',
  title: 'Named schema added',
  explain: 'The document names one more schema. By itself it promises nothing to anybody.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'schema-component-removed',
} satisfies Rule as Rule
