import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'contains',
  action: 'changed',
  title: 'Rule about contained items changed',
  explain:
    'What a list has to contain was changed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    typeof (fact.before ?? fact.after) === 'number'
      ? `${fact.subject}: how many items of a kind it may contain changed from ${shorten(fact.before ?? 'any number')} to ${shorten(fact.after ?? 'any number')}`
      : `${fact.subject}: the items that it has to contain changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-contains-changed',
  aliases: [
    'request-body-max-contains-decreased',
    'request-body-max-contains-increased',
    'request-body-min-contains-decreased',
    'request-body-min-contains-increased',
    'request-property-max-contains-decreased',
    'request-property-max-contains-increased',
    'request-property-min-contains-decreased',
    'request-property-min-contains-increased',
    'response-body-max-contains-decreased',
    'response-body-max-contains-increased',
    'response-body-min-contains-decreased',
    'response-body-min-contains-increased',
    'response-property-max-contains-decreased',
    'response-property-max-contains-increased',
    'response-property-min-contains-decreased',
    'response-property-min-contains-increased',
  ],
} satisfies Rule as Rule
