import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'argument',
  kind: 'required',
  action: 'added',
  title: 'Argument became required',
  explain: 'What could be left out has to be given now.',
  message: (fact) => `${fact.subject} became required`,
  mirror: 'argument-required-removed',
} satisfies Rule as Rule
