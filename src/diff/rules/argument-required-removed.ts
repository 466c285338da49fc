import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'argument',
  kind: 'required',
  action: 'removed',
  title: 'Argument became optional',
  explain: 'What had to be given may be left out now.',
  message: (fact) => `${fact.subject} became optional`,
  mirror: 'argument-required-added',
} satisfies Rule as Rule
