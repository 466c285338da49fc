import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'extensible-enum-value',
  action: 'removed',
  title: 'Known value removed from x-extensible-enum',
  explain:
    '`x-extensible-enum` lists the values that are known today, without forbidding others. A value that is gone may still be in use. Only profiles that agree on this extension look at it.',
  message: (fact) =>
    `${fact.subject}: ${shorten(fact.before)} is no longer one of the known values (x-extensible-enum)`,
  mirror: null,
  waiver: 'A further known value asks nothing of anybody; it is told as an edit of the extension.',
  aliases: ['request-parameter-x-extensible-enum-value-removed', 'request-property-x-extensible-enum-value-removed'],
} satisfies Rule as Rule
