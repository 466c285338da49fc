import { branchName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'any-of-branch',
  action: 'removed',
  title: 'Branch of anyOf removed',
  explain:
    'One schema less to choose from. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject} can no longer be ${branchName(fact.before)} (a branch of anyOf)`,
  mirror: 'schema-any-of-branch-added',
  aliases: [
    'request-body-any-of-removed',
    'request-property-any-of-removed',
    'response-body-any-of-removed',
    'response-property-any-of-removed',
  ],
} satisfies Rule as Rule
