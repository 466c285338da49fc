import { Type, type Static } from '@sinclair/typebox'
import { anyObject, bodyOf, dateTime, orNull, titled } from '../kernel/shapes.ts'
import { endpoint, type Access } from './endpoint.ts'
import { idParam, person, tenantParams, tenantPath } from './kit.ts'
import { stablePageShape, stableQuery } from './shapes.ts'

export const ScimToken = titled(
  'ScimToken',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    prefix: Type.String({ description: 'The first characters of the token.' }),
    created_by: orNull(Type.String()),
    created_at: dateTime(),
    expires_at: dateTime(),
    last_used_at: orNull(dateTime()),
  }),
)
export type ScimToken = Static<typeof ScimToken>

export const NewScimToken = titled(
  'NewScimToken',
  Type.Object({
    ...ScimToken.properties,
    token: Type.String({ description: 'Sent as a bearer token; it cannot be shown again.' }),
    url: Type.String({ description: 'Address of the interface, for the identity provider.' }),
  }),
)
export type NewScimToken = Static<typeof NewScimToken>

const tokensPath = `${tenantPath}/scim-tokens` as const

/** Tokens with which an identity provider sends the users and groups of an organization. */
export const scimTokensApi = {
  list: endpoint({
    id: 'scim-tokens.list',
    origin: 'own',
    method: 'GET',
    path: tokensPath,
    summary: 'List the tokens of the directory, newest first',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    query: Type.Object(stableQuery),
    response: stablePageShape(ScimToken),
    errors: [],
  }),
  create: endpoint({
    id: 'scim-tokens.create',
    origin: 'own',
    method: 'POST',
    path: tokensPath,
    summary: 'Create a token with which a directory sends users and groups; it is shown only once',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    body: bodyOf({
      name: Type.String({ minLength: 1, maxLength: 100 }),
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 730, default: 365, description: 'Days until the token expires.' }),
      ),
    }),
    response: NewScimToken,
    status: 201,
    errors: ['scim-token-taken'],
  }),
  remove: endpoint({
    id: 'scim-tokens.delete',
    origin: 'own',
    method: 'DELETE',
    path: `${tokensPath}/{token_id}`,
    summary: 'Delete a token of the directory; requests with it fail from then on',
    access: person('members:edit'),
    params: Type.Object({ ...tenantParams, token_id: idParam }),
    response: Type.Null(),
    status: 204,
    errors: ['scim-token-not-found'],
  }),
} as const

const access = {
  anonymous: true,
  reason: 'The token of the directory in the header is the credential, and says which organization is meant.',
} as const satisfies Access

const json = ['application/scim+json'] as const
const base = '/scim/v2'
const shared = { origin: 'own', access, produces: json, response: anyObject } as const
const refusals = ['scim-token-refused', 'auth-rate-limited'] as const
const text = Type.Optional(Type.String({ maxLength: 8000 }))
const selection = { attributes: text, excludedAttributes: text }
const listQuery = Type.Object({
  filter: Type.Optional(Type.String({ description: 'A filter of RFC 7644, section 3.4.2.2.' })),
  startIndex: Type.Optional(Type.Integer({ description: 'Place of the first resource, from 1.' })),
  count: Type.Optional(Type.Integer({ description: 'Resources of the page, at most 200.' })),
  ...selection,
  sortBy: text,
  sortOrder: text,
})
const idParams = Type.Object({ resource_id: idParam })
const oneQuery = Type.Object(selection)

const kindOf = <const K extends 'users' | 'groups', const P extends string>(kind: K, path: P, one: string) => ({
  list: endpoint({
    ...shared,
    id: `scim.${kind}.list`,
    method: 'GET',
    path: `${base}/${path}`,
    summary: `List the ${kind} of the directory that fit a filter`,
    query: listQuery,
    errors: [...refusals, 'scim-invalid'],
  }),
  create: endpoint({
    ...shared,
    id: `scim.${kind}.create`,
    method: 'POST',
    path: `${base}/${path}`,
    summary: `Add a ${one} to the directory`,
    query: oneQuery,
    body: anyObject,
    status: 201,
    answerHeaders: ['location'],
    errors: [...refusals, 'scim-invalid', 'scim-taken'],
  }),
  get: endpoint({
    ...shared,
    id: `scim.${kind}.get`,
    method: 'GET',
    path: `${base}/${path}/{resource_id}`,
    summary: `Get a ${one} of the directory`,
    params: idParams,
    query: oneQuery,
    errors: [...refusals, 'scim-not-found'],
  }),
  replace: endpoint({
    ...shared,
    id: `scim.${kind}.replace`,
    method: 'PUT',
    path: `${base}/${path}/{resource_id}`,
    summary: `Replace a ${one} of the directory`,
    params: idParams,
    query: oneQuery,
    body: anyObject,
    errors: [...refusals, 'scim-not-found', 'scim-invalid', 'scim-taken'],
  }),
  change: endpoint({
    ...shared,
    id: `scim.${kind}.change`,
    method: 'PATCH',
    path: `${base}/${path}/{resource_id}`,
    summary: `Change a ${one} of the directory by operations (RFC 7644, section 3.5.2)`,
    params: idParams,
    query: oneQuery,
    body: anyObject,
    errors: [...refusals, 'scim-not-found', 'scim-invalid', 'scim-taken'],
  }),
  remove: endpoint({
    id: `scim.${kind}.delete`,
    origin: 'own',
    access,
    method: 'DELETE',
    path: `${base}/${path}/{resource_id}`,
    summary: `Remove a ${one} from the directory`,
    params: idParams,
    response: Type.Null(),
    status: 204,
    errors: [...refusals, 'scim-not-found'],
  }),
})

const described = <const I extends string, const P extends string>(id: I, path: P, summary: string) =>
  endpoint({ ...shared, id: `scim.${id}`, method: 'GET', path: `${base}/${path}`, summary, errors: [...refusals] })
const describedOne = <const I extends string, const P extends string>(id: I, path: P, summary: string) =>
  endpoint({
    ...shared,
    id: `scim.${id}`,
    method: 'GET',
    path: `${base}/${path}/{resource_id}`,
    summary,
    params: idParams,
    errors: [...refusals, 'scim-not-found'],
  })

/** SCIM 2.0 (RFC 7643, RFC 7644): a directory sends its users and groups. */
export const scimUsersApi = { ...kindOf('users', 'Users', 'user') } as const
export const scimGroupsApi = { ...kindOf('groups', 'Groups', 'group') } as const
export const scimApi = {
  config: described('config', 'ServiceProviderConfig', 'Say what the interface for directories supports'),
  types: described('types.list', 'ResourceTypes', 'List the kinds of resources of the directory'),
  type: describedOne('types.get', 'ResourceTypes', 'Get a kind of resources of the directory'),
  schemas: described('schemas.list', 'Schemas', 'List the schemas of the directory'),
  schema: describedOne('schemas.get', 'Schemas', 'Get a schema of the directory'),
} as const
