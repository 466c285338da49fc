import { bindingsApi } from '../../src/api/bindings.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { checkBinding, mergeCandidate, resolveCandidate } from './resolve.ts'
import {
  compareBinding,
  createBinding,
  getBinding,
  getStatus,
  listBindings,
  releaseBinding,
  type VersionRefs,
} from './service.ts'

const refsOf = (params: { readonly project_ref: string; readonly version_ref: string }): VersionRefs => ({
  project: params.project_ref,
  version: params.version_ref,
})

/** The routes of draft bindings. */
export function bindingRoutes(deps: Deps): Route[] {
  return routesOf(bindingsApi, {
    list: ({ params, query }, { grant }) =>
      listBindings(deps, grant, params.project_ref, query ?? {}, stablePageOf('bindings', query)),
    get: ({ params }, { grant }) => getBinding(deps, grant, params.project_ref, params.binding_id),
    status: ({ params }, { grant }) => getStatus(deps, grant, refsOf(params)),
    create: ({ params, body }, { grant, signal }) => createBinding(deps, grant, refsOf(params), body, signal),
    compare: ({ params, body }, { grant, signal }) => compareBinding(deps, grant, refsOf(params), body, signal),
    release: ({ params }, { grant }) => releaseBinding(deps, grant, refsOf(params)),
    check: ({ params }, { grant, signal }) => checkBinding(deps, grant, refsOf(params), signal),
    resolve: ({ params, body }, { grant, signal }) =>
      resolveCandidate(deps, grant, refsOf(params), params.candidate_id, body, signal),
    merge: ({ params }, { grant }) => mergeCandidate(deps, grant, refsOf(params), params.candidate_id),
    mergeWith: ({ params, body }, { grant }) => mergeCandidate(deps, grant, refsOf(params), params.candidate_id, body),
  })
}
