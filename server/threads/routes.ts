import { threadsApi } from '../../src/api/threads.ts'
import type { JsonPatch } from '../../src/patch/json-patch.ts'
import { type Deps, pageOf } from '../kit/door.ts'
import { Reply, type Route, routesOf } from '../http/door.ts'
import { applySuggestion, deleteComment, editComment, overlayOfSuggestion } from './comments.ts'
import { addComment, getThread, listThreads, openThread, reopenThread, resolveThread, type Saying } from './service.ts'
import { versionRefsOf } from '../records/door.ts'
import { placeOf } from './places.ts'

const sayingOf = (body: { readonly body: string; readonly suggestion?: { readonly patch: unknown } }): Saying => ({
  body: body.body,
  // The schema of the request says that it is one.
  ...(body.suggestion === undefined ? {} : { suggestion: { patch: body.suggestion.patch as JsonPatch } }),
})

/** The routes of threads and their comments. */
export const threadRoutes = (deps: Deps): Route[] =>
  routesOf(threadsApi, {
    list: ({ params, query }, { grant }) =>
      listThreads(deps, grant, versionRefsOf(params), { ...pageOf(query), status: query?.status ?? null }),
    place: ({ params, query }, { grant }) => placeOf(deps, grant, versionRefsOf(params), query.pointer),
    open: ({ params, body }, { grant }) =>
      openThread(deps, grant, versionRefsOf(params), { anchor: body.anchor, ...sayingOf(body) }),
    get: ({ params }, { grant }) => getThread(deps, grant, versionRefsOf(params), params.thread_id),
    comment: ({ params, body }, { grant }) =>
      addComment(deps, grant, versionRefsOf(params), params.thread_id, sayingOf(body)),
    resolve: ({ params }, { grant }) => resolveThread(deps, grant, versionRefsOf(params), params.thread_id),
    reopen: ({ params }, { grant }) => reopenThread(deps, grant, versionRefsOf(params), params.thread_id),
    editComment: ({ params, body }, { grant }) =>
      editComment(deps, grant, versionRefsOf(params), params.comment_id, body.body),
    deleteComment: async ({ params }, { grant }) => {
      await deleteComment(deps, grant, versionRefsOf(params), params.comment_id)
      return null
    },
    applySuggestion: async ({ params }, { grant, ifMatch }) => {
      const { comment, etag } = await applySuggestion(deps, grant, versionRefsOf(params), params.comment_id, ifMatch)
      return Reply.json(comment, { etag })
    },
    suggestionOverlay: ({ params }, { grant }) =>
      overlayOfSuggestion(deps, grant, versionRefsOf(params), params.comment_id),
  })
