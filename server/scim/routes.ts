import { scimApi, scimGroupsApi, scimTokensApi, scimUsersApi } from '../../src/api/scim.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { listOf, providerConfig, resourceTypes, schemas, scimMediaType, type Selection } from '../../src/scim/answer.ts'
import { type Context, Reply, type Route, routesOf } from '../http/door.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { createGroup, getGroup, listGroups, patchGroup, removeGroup, replaceGroup } from './groups.ts'
import { notFound } from './refusals.ts'
import { createToken, directoryOf, listTokens, removeToken } from './tokens.ts'
import { createUser, getUser, listUsers, patchUser, removeUser, replaceUser, type ScimDeps } from './users.ts'

/** The routes of the tokens that administrators give a directory. */
export const scimTokenRoutes = (deps: Deps): Route[] =>
  routesOf(scimTokensApi, {
    list: ({ query }, { grant }) => listTokens(deps, grant, stablePageOf('scim-tokens', query)),
    create: ({ body }, { grant }) => createToken(deps, grant, body),
    remove: async ({ params }, { grant }) => {
      await removeToken(deps, grant, params.token_id)
      return null
    },
  })

function reply(resource: JsonObject, status = 200): Reply {
  const { location } = (resource['meta'] ?? {}) as { location?: string }
  const headers = { 'content-type': scimMediaType, ...(status === 201 && location !== undefined ? { location } : {}) }
  return new Reply({ status, headers, body: JSON.stringify(resource) })
}

const list = (all: readonly JsonObject[]): Reply => reply(listOf(all, all.length, 1))

function oneOf(kind: 'schema' | 'resource type', all: readonly JsonObject[], id: string): Reply {
  const found = all.find((it) => String(it['id']).toLowerCase() === id.toLowerCase())
  if (found === undefined) throw notFound(kind, id)
  return reply(found)
}

/** The routes of SCIM 2.0 (RFC 7644). */
export function scimRoutes(deps: ScimDeps): Route[] {
  const directory = ({ request }: Context) => directoryOf(deps, request)
  const baseOf = ({ request }: Context): string => `${deps.publicUrl() || new URL(request.url).origin}/scim/v2`
  const to = (at: Context, selection: Selection = {}) => ({ base: baseOf(at), selection })
  /** What describes the interface is for directories too. */
  const base = async (at: Context): Promise<string> => {
    await directory(at)
    return baseOf(at)
  }
  return [
    ...routesOf(scimApi, {
      config: async (_, at) => reply(providerConfig(await base(at))),
      types: async (_, at) => list(resourceTypes(await base(at))),
      type: async ({ params }, at) => oneOf('resource type', resourceTypes(await base(at)), params.resource_id),
      schemas: async (_, at) => list(schemas(await base(at))),
      schema: async ({ params }, at) => oneOf('schema', schemas(await base(at)), params.resource_id),
    }),
    ...routesOf(scimUsersApi, {
      list: async ({ query = {} }, at) => reply(await listUsers(deps, await directory(at), query, baseOf(at))),
      create: async ({ body, query }, at) =>
        reply(await createUser(deps, await directory(at), body, to(at, query)), 201),
      get: async ({ params, query }, at) =>
        reply(await getUser(deps, await directory(at), params.resource_id, to(at, query))),
      replace: async ({ params, body, query }, at) =>
        reply(await replaceUser(deps, await directory(at), params.resource_id, body, to(at, query))),
      change: async ({ params, body, query }, at) =>
        reply(await patchUser(deps, await directory(at), params.resource_id, body, to(at, query))),
      remove: async ({ params }, at) => {
        await removeUser(deps, await directory(at), params.resource_id)
        return null
      },
    }),
    ...routesOf(scimGroupsApi, {
      list: async ({ query = {} }, at) => reply(await listGroups(deps, await directory(at), query, baseOf(at))),
      create: async ({ body, query }, at) =>
        reply(await createGroup(deps, await directory(at), body, to(at, query)), 201),
      get: async ({ params, query }, at) =>
        reply(await getGroup(deps, await directory(at), params.resource_id, to(at, query))),
      replace: async ({ params, body, query }, at) =>
        reply(await replaceGroup(deps, await directory(at), params.resource_id, body, to(at, query))),
      change: async ({ params, body, query }, at) =>
        reply(await patchGroup(deps, await directory(at), params.resource_id, body, to(at, query))),
      remove: async ({ params }, at) => {
        await removeGroup(deps, await directory(at), params.resource_id)
        return null
      },
    }),
  ]
}
