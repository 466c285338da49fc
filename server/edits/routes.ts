import { editsApi } from '../../src/api/edits.ts'
import type { Deps } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import {
  changesOfEdited,
  checkEdited,
  completeEdited,
  fixEdited,
  mergeEdited,
  outlineOfEdited,
  overlayOfEdited,
} from './service.ts'
import { versionRefsOf } from '../records/door.ts'

/** The routes of questions about documents that are being edited. */
export const editRoutes = (deps: Deps): Route[] =>
  routesOf(editsApi, {
    check: ({ params, body }, { grant }) => checkEdited(deps, grant, versionRefsOf(params), body),
    changes: ({ params, body }, { grant }) => changesOfEdited(deps, grant, versionRefsOf(params), body),
    outline: ({ params, body }, { grant }) => outlineOfEdited(deps, grant, versionRefsOf(params), body),
    complete: ({ params, body }, { grant }) => completeEdited(deps, grant, versionRefsOf(params), body),
    fix: ({ params, body }, { grant }) => fixEdited(deps, grant, versionRefsOf(params), body),
    overlay: ({ params, body }, { grant }) => overlayOfEdited(deps, grant, versionRefsOf(params), body),
    merge: ({ params, body }, { grant }) => mergeEdited(deps, grant, versionRefsOf(params), body),
  })
