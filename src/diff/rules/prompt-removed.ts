import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'prompt',
  kind: 'itself',
  action: 'removed',
  title: 'Prompt removed',
  explain: 'A prompt that hosts offer to people is gone.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'prompt-added',
} satisfies Rule as Rule
