import { inboxApi } from '../../src/api/inbox.ts'
import { type Route, routesOf } from '../http/door.ts'
import type { Deps } from '../kit/door.ts'
import { showInbox } from './inbox.ts'

/** The routes of the inbox. */
export const inboxRoutes = (deps: Deps): Route[] =>
  routesOf(inboxApi, {
    list: ({ query }, { grant }) =>
      showInbox(deps, grant, { kind: query?.kind ?? null, limit: query?.limit ?? 50, offset: query?.offset ?? 0 }),
  })
