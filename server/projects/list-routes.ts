import { projectBulkApi } from '../../src/api/project-bulk.ts'
import { projectViewsApi } from '../../src/api/project-views.ts'
import type { Deps } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { changeMany, exportMany } from './bulk.ts'
import { createView, getView, listViews, removeView, setDefaultView, updateView } from './views.ts'

/** The routes of what the list of projects offers: saved views, and changes of many projects. */
export const projectListRoutes = (deps: Deps): Route[] => [
  ...routesOf(projectViewsApi, {
    list: (_, { grant }) => listViews(deps, grant),
    create: ({ body }, { grant }) => createView(deps, grant, body),
    get: ({ params }, { grant }) => getView(deps, grant, params.view_ref),
    update: ({ params, body }, { grant }) => updateView(deps, grant, params.view_ref, body),
    remove: async ({ params }, { grant }) => {
      await removeView(deps, grant, params.view_ref)
      return null
    },
    setDefault: ({ body }, { grant }) => setDefaultView(deps, grant, body.view),
  }),
  ...routesOf(projectBulkApi, {
    change: ({ body }, { grant }) => changeMany(deps, grant, body),
    export: ({ body }, { grant }) => exportMany(deps, grant, body),
  }),
]
