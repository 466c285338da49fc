import { branchName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'all-of',
  action: 'removed',
  title: 'Member of allOf removed',
  explain:
    'One schema less that values have to fit. What it asked decides whether it breaks; only profiles that count the members tell it on its own.',
  message: (fact) => `${fact.subject}: values no longer have to be ${branchName(fact.before)} (a member of allOf)`,
  mirror: 'schema-all-of-added',
  aliases: [
    'request-body-all-of-removed',
    'request-body-all-of-removed-annotation-only',
    'request-property-all-of-removed',
    'request-property-all-of-removed-annotation-only',
    'response-body-all-of-removed',
    'response-body-all-of-removed-annotation-only',
    'response-property-all-of-removed',
    'response-property-all-of-removed-annotation-only',
  ],
} satisfies Rule as Rule
