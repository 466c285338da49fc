import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'operation',
  kind: 'sunset',
  action: 'changed',
  title: 'Sunset moved',
  explain: 'The day on which it ends moved. An earlier day leaves less time than was announced, so that breaks.',
  message: (fact) => `${fact.subject}: the sunset moved from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'operation-sunset-changed',
  aliases: ['api-sunset-date-changed-too-small', 'api-path-sunset-parse'],
} satisfies Rule as Rule
