import { branchName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'one-of-branch',
  action: 'removed',
  title: 'Branch of oneOf removed',
  explain:
    'One schema less to choose from. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject} can no longer be ${branchName(fact.before)} (a branch of oneOf)`,
  mirror: 'schema-one-of-branch-added',
  aliases: [
    'request-body-one-of-removed',
    'request-property-one-of-removed',
    'response-body-one-of-removed',
    'response-property-one-of-removed',
  ],
} satisfies Rule as Rule
