import { repositoryHooksApi } from '../../src/api/repository-hooks.ts'
import type { Deps } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { addEntry, changeEntry, getAllowlist, setPolicy } from './allowlist.ts'
import { receive } from './receive.ts'
import { createHook, hookStatus, readSecret, removeHook, rotateSecret } from './service.ts'

/** The routes of inbound hooks. */
export function hookRoutes(deps: Deps): Route[] {
  return routesOf(repositoryHooksApi, {
    status: ({ params }, { grant }) => hookStatus(deps, grant, params.repository_id),
    create: async ({ params, body }, { grant, signal }) => ({
      success: true,
      subscription: await createHook(deps, grant, params.repository_id, body, signal),
    }),
    remove: ({ params }, { grant, signal }) => removeHook(deps, grant, params.repository_id, signal),
    rotate: ({ params, body }, { grant, signal }) =>
      rotateSecret(deps, grant, params.repository_id, body ?? {}, signal),
    readSecret: ({ params }, { grant }) => readSecret(deps, grant, params.repository_id),
    allowlist: (_, { grant }) => getAllowlist(deps, grant),
    setPolicy: ({ body }, { grant }) => setPolicy(deps, grant, body),
    addEntry: ({ body }, { grant }) => addEntry(deps, grant, body),
    setEntry: ({ params, body }, { grant }) => changeEntry(deps, grant, params.entry_id, body.enabled),
    removeEntry: ({ params }, { grant }) => changeEntry(deps, grant, params.entry_id, null),
    receive: ({ params }, { request }) => receive(deps, params, request),
  })
}
