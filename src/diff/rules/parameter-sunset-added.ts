import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'sunset',
  action: 'added',
  title: 'Sunset of a parameter that plans nothing',
  explain:
    'The deprecation of a parameter announces an end that is no day, or a day that is over already, so nobody can plan by it. Only profiles that agree on `x-sunset` look at it.',
  message: (fact) => `${fact.subject} announces its end by ${shorten(fact.after)}, which is no day to come`,
  mirror: null,
  waiver: 'A day that is no longer announced is told by the rule about the removed sunset.',
  aliases: ['request-parameter-sunset-parse'],
} satisfies Rule as Rule
