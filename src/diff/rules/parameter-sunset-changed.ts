import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'sunset',
  action: 'changed',
  title: 'Sunset of a parameter moved',
  explain: 'The day on which it ends moved. An earlier day leaves less time than was announced.',
  message: (fact) => `${fact.subject}: the sunset moved from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'parameter-sunset-changed',
  aliases: ['request-parameter-sunset-date-changed-too-small', 'request-parameter-sunset-date-too-small'],
} satisfies Rule as Rule
