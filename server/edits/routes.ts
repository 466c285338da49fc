import { editsApi } from '../../src/api/edits.ts'
import type { Deps } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { changesOfEdited, checkEdited, completeEdited, fixEdited, mergeEdited, outlineOfEdited } from './service.ts'

const refsOf = (params: { readonly project_ref: string; readonly version_ref: string }) => ({
  project: params.project_ref,
  version: params.version_ref,
})

/** The routes of questions about documents that are being edited. */
export const editRoutes = (deps: Deps): Route[] =>
  routesOf(editsApi, {
    check: ({ params, body }, { grant }) => checkEdited(deps, grant, refsOf(params), body),
    changes: ({ params, body }, { grant }) => changesOfEdited(deps, grant, refsOf(params), body),
    outline: ({ params, body }, { grant }) => outlineOfEdited(deps, grant, refsOf(params), body),
    complete: ({ params, body }, { grant }) => completeEdited(deps, grant, refsOf(params), body),
    fix: ({ params, body }, { grant }) => fixEdited(deps, grant, refsOf(params), body),
    merge: ({ params, body }, { grant }) => mergeEdited(deps, grant, refsOf(params), body),
  })
