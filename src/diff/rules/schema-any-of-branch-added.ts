import { branchName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'any-of-branch',
  action: 'added',
  title: 'Branch of anyOf added',
  explain:
    'One more schema to choose from. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject} may now also be ${branchName(fact.after)} (a branch of anyOf)`,
  mirror: 'schema-any-of-branch-removed',
  aliases: [
    'request-body-any-of-added',
    'request-property-any-of-added',
    'response-body-any-of-added',
    'response-property-any-of-added',
  ],
} satisfies Rule as Rule
