import { notificationTargetsApi } from '../../src/api/notification-targets.ts'
import { projectWatchesApi } from '../../src/api/project-watches.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { followLink, showLink } from './links.ts'
import { createChat, listTargets, removeRule, removeTarget, setRule, updateTarget } from './targets.ts'
import { tryTarget } from './try.ts'
import { getWatch, listWatches, setWatch } from './watches.ts'

/** The routes of watching projects, and of where news go. */
export const newsRoutes = (deps: Deps): Route[] => [
  ...routesOf(projectWatchesApi, {
    list: ({ query }, { grant }) =>
      listWatches(deps, grant, { ...stablePageOf('project-watches', query), level: query?.level ?? null }),
    get: ({ params }, { grant }) => getWatch(deps, grant, params.project_ref),
    set: ({ params, body }, { grant }) => setWatch(deps, grant, params.project_ref, body.level),
  }),
  ...routesOf(notificationTargetsApi, {
    list: (_, { grant }) => listTargets(deps, grant),
    create: ({ body }, { grant }) => createChat(deps, grant, body),
    update: ({ params, body }, { grant }) => updateTarget(deps, grant, params.target_id, body),
    remove: async ({ params }, { grant }) => {
      await removeTarget(deps, grant, params.target_id)
      return null
    },
    setRule: ({ params, body }, { grant }) => setRule(deps, grant, params.target_id, params.type, body ?? {}),
    removeRule: ({ params }, { grant }) => removeRule(deps, grant, params.target_id, params.type),
    test: ({ params }, { grant, signal }) => tryTarget(deps, grant, params.target_id, signal),
    link: ({ params }) => showLink(deps, params.token),
    follow: ({ params }) => followLink(deps, params.token),
  }),
]
