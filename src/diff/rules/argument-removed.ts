import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'argument',
  kind: 'itself',
  action: 'removed',
  title: 'Argument removed',
  explain:
    'A prompt, a package or an address takes an input less. Whoever fills in an argument of a prompt is no longer heard.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'argument-added',
} satisfies Rule as Rule
