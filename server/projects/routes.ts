import { projectsApi } from '../../src/api/projects.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { createProject, getProject, listProjects, removeProject, updateProject } from './service.ts'

/** The routes of projects. */
export const projectRoutes = (deps: Deps): Route[] =>
  routesOf(projectsApi, {
    list: ({ query }, { grant }) =>
      listProjects(deps, grant, { ...query, page: stablePageOf('projects', query), q: query?.q ?? null }),
    create: ({ body }, { grant }) => createProject(deps, grant, body),
    get: ({ params }, { grant }) => getProject(deps, grant, params.project_ref),
    update: ({ params, body }, { grant }) => updateProject(deps, grant, params.project_ref, body),
    remove: async ({ params }, { grant }) => {
      await removeProject(deps, grant, params.project_ref)
      return null
    },
  })
