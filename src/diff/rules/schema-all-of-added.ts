import { branchName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'all-of',
  action: 'added',
  title: 'Member of allOf added',
  explain:
    'One more schema that values have to fit. What it asks decides whether it breaks; only profiles that count the members tell it on its own.',
  message: (fact) => `${fact.subject}: values also have to be ${branchName(fact.after)} (a member of allOf)`,
  mirror: 'schema-all-of-removed',
  aliases: [
    'request-body-all-of-added',
    'request-body-all-of-added-annotation-only',
    'request-property-all-of-added',
    'request-property-all-of-added-annotation-only',
    'response-body-all-of-added',
    'response-body-all-of-added-annotation-only',
    'response-property-all-of-added',
    'response-property-all-of-added-annotation-only',
  ],
} satisfies Rule as Rule
