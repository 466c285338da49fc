import { scopeChange } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'security',
  kind: 'scopes',
  action: 'changed',
  title: 'Scopes changed',
  explain: 'Which scopes the credentials have to have. A scope more refuses those who have the old ones only.',
  message: (fact) => `${fact.subject} asks for other scopes: ${scopeChange(fact.before, fact.after)}`,
  mirror: 'security-scopes-changed',
  aliases: [
    'api-global-security-scope-added',
    'api-global-security-scope-removed',
    'api-security-scope-added',
    'api-security-scope-removed',
  ],
} satisfies Rule as Rule
