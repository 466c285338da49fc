import { roleRulesApi } from '../../src/api/role-rules.ts'
import { type Route, routesOf } from '../http/door.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import type { RuleDeps } from './apply.ts'
import { createRule, listRules, removeRule, sourcesOf, tryClaims } from './service.ts'

/** The routes of rules that give roles. */
export const roleRuleRoutes = (deps: Deps & RuleDeps): Route[] =>
  routesOf(roleRulesApi, {
    list: ({ query }, { grant }) => listRules(deps, grant, stablePageOf('role-rules', query)),
    create: ({ body }, { grant }) => createRule(deps, grant, body),
    remove: async ({ params }, { grant }) => {
      await removeRule(deps, grant, params.rule_id)
      return null
    },
    sources: (_, { grant }) => sourcesOf(deps, grant),
    test: ({ body }, { grant }) => tryClaims(deps, grant, body),
  })
