import { branchName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'one-of-branch',
  action: 'added',
  title: 'Branch of oneOf added',
  explain:
    'One more schema to choose from. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more. Where the new branch overlaps another one, values that fit both are refused.',
  message: (fact) => `${fact.subject} may now also be ${branchName(fact.after)} (a branch of oneOf)`,
  mirror: 'schema-one-of-branch-removed',
  aliases: [
    'request-body-one-of-added',
    'request-property-one-of-added',
    'response-body-one-of-added',
    'response-property-one-of-added',
  ],
} satisfies Rule as Rule
