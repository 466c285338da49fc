import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { stablePageShape, stableQuery } from './shapes.ts'
import { idParam, person, tenantParams, tenantPath } from './kit.ts'

/** Every tool that a tenant can allow or deny for its keys. */
export const mcpTools = [
  'ping',
  'project.list',
  'spec.list',
  'spec.describe',
  'spec.export',
  'spec.search',
  'spec.search_semantic',
  'type.list',
  'type.describe',
  'mcp_server.describe',
  'lint.check',
  'diff.compare',
  'schema.contains',
  'explain',
] as const

export const McpKeyRecord = titled(
  'McpKeyRecord',
  Type.Object({
    id: Type.String(),
    label: Type.String(),
    prefix: Type.String(),
    mode: oneOf(['inherit', 'explicit']),
    tools: Type.Array(Type.String(), { description: 'With mode "explicit": the tools that the key may call.' }),
    effective_tools: Type.Array(Type.String(), {
      description: 'Tools that it may call now: within the allowed tools of the organization.',
    }),
    created_by: orNull(Type.String()),
    created_at: dateTime(),
    last_used_at: orNull(dateTime()),
    key: Type.Optional(Type.String({ description: 'Only in the answer that creates it; it cannot be shown again.' })),
  }),
)
export type McpKeyRecord = Static<typeof McpKeyRecord>

const toolList = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 })
export const McpCapabilities = titled(
  'McpCapabilities',
  Type.Object({ ceiling: Type.Array(Type.String()), defaults: Type.Array(Type.String()) }),
)
export type McpCapabilities = Static<typeof McpCapabilities>

const keyParams = { ...tenantParams, key_id: idParam }

/** Keys of agent hosts and the tools they may call, governed by administrators. */
export const mcpKeysApi = {
  list: endpoint({
    id: 'mcp-keys.list',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/mcp-keys`,
    summary: 'List the MCP keys of an organization, newest first',
    access: person('mcp:govern'),
    params: Type.Object(tenantParams),
    query: Type.Object({ ...stableQuery, q: Type.Optional(Type.String()) }),
    response: stablePageShape(McpKeyRecord),
    errors: [],
  }),
  create: endpoint({
    id: 'mcp-keys.create',
    origin: 'own',
    method: 'POST',
    path: `${tenantPath}/mcp-keys`,
    summary: 'Create an MCP key; it inherits the default tools',
    access: person('mcp:govern'),
    params: Type.Object(tenantParams),
    body: bodyOf({ label: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }) }),
    response: McpKeyRecord,
    status: 201,
    errors: ['quota-exceeded'],
  }),
  remove: endpoint({
    id: 'mcp-keys.delete',
    origin: 'own',
    method: 'DELETE',
    path: `${tenantPath}/mcp-keys/{key_id}`,
    summary: 'Delete an MCP key',
    access: person('mcp:govern'),
    params: Type.Object(keyParams),
    response: Type.Null(),
    status: 204,
    errors: ['api-key-not-found'],
  }),
  setCapabilities: endpoint({
    id: 'mcp-keys.capabilities',
    origin: 'own',
    method: 'PUT',
    path: `${tenantPath}/mcp-keys/{key_id}/capabilities`,
    summary: 'Set the tools of an MCP key: the defaults, or a list of its own',
    access: person('mcp:govern'),
    params: Type.Object(keyParams),
    body: bodyOf({ mode: oneOf(['inherit', 'explicit']), tools: Type.Optional(toolList) }),
    response: McpKeyRecord,
    errors: ['api-key-not-found', 'tools-invalid'],
  }),
  capabilities: endpoint({
    id: 'mcp-capabilities.get',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/mcp-capabilities`,
    summary: 'Get the allowed and default tools of MCP keys',
    access: person('mcp:govern'),
    params: Type.Object(tenantParams),
    response: McpCapabilities,
    errors: [],
  }),
  setTenantCapabilities: endpoint({
    id: 'mcp-capabilities.put',
    origin: 'own',
    method: 'PUT',
    path: `${tenantPath}/mcp-capabilities`,
    summary: 'Set the allowed and default tools of MCP keys; defaults must be allowed tools',
    access: person('mcp:govern'),
    params: Type.Object(tenantParams),
    body: bodyOf({ ceiling: toolList, defaults: toolList }),
    response: McpCapabilities,
    errors: ['tools-invalid'],
  }),
} as const
