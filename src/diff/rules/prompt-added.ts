import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'prompt',
  kind: 'itself',
  action: 'added',
  title: 'Prompt added',
  explain: 'One more prompt to offer; nobody has to use it.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'prompt-removed',
} satisfies Rule as Rule
