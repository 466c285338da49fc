import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { stablePageShape, stableQuery } from './shapes.ts'
import { toolsetNames } from './toolsets.ts'
import { person, tenantParams, tenantPath } from './kit.ts'

export const AgentKeyRecord = titled(
  'AgentKeyRecord',
  Type.Object({
    id: Type.String(),
    label: Type.String(),
    prefix: Type.String(),
    toolset: oneOf(toolsetNames),
    tools: Type.Array(Type.String()),
    status: oneOf(['active', 'expired', 'revoked']),
    created_by: orNull(Type.String()),
    created_at: dateTime(),
    expires_at: dateTime(),
    last_used_at: orNull(dateTime()),
    revoked_at: orNull(dateTime()),
    key: Type.Optional(Type.String({ description: 'Only in the answer that creates it; it cannot be shown again.' })),
  }),
)
export type AgentKeyRecord = Static<typeof AgentKeyRecord>

const base = `${tenantPath}/agent-keys`
const keyParams = { ...tenantParams, key: Type.String({ minLength: 1, description: 'Id of the key.' }) }

/** Keys of agents: a toolset, an expiry, a revocation. */
export const agentKeysApi = {
  list: endpoint({
    id: 'agent-keys.list',
    origin: 'spec',
    method: 'GET',
    path: base,
    summary: 'List the agent keys of an organization, newest first',
    access: person('api_keys:view'),
    params: Type.Object(tenantParams),
    query: Type.Object({ ...stableQuery, q: Type.Optional(Type.String()) }),
    response: stablePageShape(AgentKeyRecord),
    errors: [],
  }),
  create: endpoint({
    id: 'agent-keys.create',
    origin: 'spec',
    method: 'POST',
    path: base,
    summary: 'Create an agent key',
    access: person('api_keys:create'),
    params: Type.Object(tenantParams),
    body: bodyOf({
      label: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
      toolset: oneOf(toolsetNames),
      tools: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
          minItems: 1,
          maxItems: 50,
          description: 'Tools of the toolset that the key may call; all of them when omitted.',
        }),
      ),
      expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, default: 30 })),
    }),
    response: AgentKeyRecord,
    status: 201,
    errors: ['tools-invalid'],
  }),
  get: endpoint({
    id: 'agent-keys.get',
    origin: 'spec',
    method: 'GET',
    path: `${base}/{key}`,
    summary: 'Get an agent key',
    access: person('api_keys:view'),
    params: Type.Object(keyParams),
    response: AgentKeyRecord,
    errors: ['api-key-not-found'],
  }),
  revoke: endpoint({
    id: 'agent-keys.revoke',
    origin: 'spec',
    method: 'DELETE',
    path: `${base}/{key}`,
    summary: 'Revoke an agent key',
    access: person('api_keys:delete'),
    params: Type.Object(keyParams),
    response: Type.Null(),
    status: 204,
    errors: ['api-key-not-found'],
  }),
} as const
