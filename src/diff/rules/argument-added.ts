import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'argument',
  kind: 'itself',
  action: 'added',
  title: 'Argument added',
  explain:
    'A prompt, a package or an address takes one more input. Where it has to be given, those who do not know it fail.',
  message: (fact) => `${fact.subject} was added${fact.verdict === 'safe' ? '' : ' and is required'}`,
  mirror: 'argument-removed',
} satisfies Rule as Rule
