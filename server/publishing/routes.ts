import { versionsApi } from '../../src/api/versions.ts'
import type { Deps } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { publishReadiness, publishVersion } from './publish.ts'

const { readiness, publish } = versionsApi

/** The routes that publish versions. */
export const publishingRoutes = (deps: Deps): Route[] =>
  routesOf(
    { readiness, publish },
    {
      readiness: ({ params }, { grant }) => publishReadiness(deps, grant, params.project_ref, params.version_ref),
      publish: ({ params, body }, { grant }) =>
        publishVersion(deps, grant, { project: params.project_ref, version: params.version_ref }, body ?? {}),
    },
  )
