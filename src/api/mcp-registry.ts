import { Type } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { McpRegistry, McpRegistryList, McpRegistryServerResponse } from './mcp-server-shapes.ts'
import { bodyOf, oneOf, titled } from '../kernel/shapes.ts'
import { may, person, tenantParams } from './kit.ts'

const base = '/v1/mcp/{tenant_slug}/registry'
const servers = `${base}/v0.1/servers`
const one = `${servers}/{server_name}/versions`
const read = {
  anonymous: true,
  reason: 'Agent hosts read a registry without credentials; it answers 404 until an administrator enables it.',
} as const
const nameParam = {
  server_name: Type.String({ minLength: 1, maxLength: 300, description: 'Encoded: "com.example%2Fweather".' }),
}
const disabled = ['registry-disabled'] as const

/** The approved MCP servers as a registry that agent hosts read (version 0.1 of the official registry's interface). */
export const mcpRegistryApi = {
  get: endpoint({
    id: 'mcp-registry.get',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'Show whether the approved MCP servers are published as a registry, and where',
    access: may('projects:view'),
    params: Type.Object(tenantParams),
    response: McpRegistry,
    errors: [],
  }),
  set: endpoint({
    id: 'mcp-registry.set',
    origin: 'own',
    method: 'PUT',
    path: base,
    summary: 'Publish the approved MCP servers as a registry for agent hosts, or stop that',
    access: person('mcp:govern'),
    params: Type.Object(tenantParams),
    body: titled(
      'McpRegistryUpdate',
      bodyOf({ enabled: Type.Boolean(), audience: Type.Optional(oneOf(['anyone-with-link', 'public'])) }),
    ),
    response: McpRegistry,
    errors: [],
  }),
  servers: endpoint({
    id: 'mcp-registry.servers',
    origin: 'own',
    method: 'GET',
    path: servers,
    summary: 'List the approved MCP servers as the official registry does',
    description: 'A server that drifted from what was approved is not listed until it is approved again.',
    access: read,
    anyOrigin: true,
    params: Type.Object(tenantParams),
    query: Type.Object({
      cursor: Type.Optional(Type.String({ maxLength: 1000, description: 'metadata.nextCursor of the page before.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 30 })),
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name.' })),
      updated_since: Type.Optional(Type.String({ format: 'date-time' })),
      version: Type.Optional(Type.String({ maxLength: 255, description: '"latest", or exactly this version.' })),
      include_deleted: Type.Optional(Type.Boolean({ description: 'Deleted servers are not listed.' })),
    }),
    response: McpRegistryList,
    answerHeaders: ['etag'],
    errors: [...disabled, 'cursor-invalid'],
  }),
  versions: endpoint({
    id: 'mcp-registry.versions',
    origin: 'own',
    method: 'GET',
    path: one,
    summary: 'List the approved versions of an MCP server, newest first',
    access: read,
    anyOrigin: true,
    params: Type.Object({ ...tenantParams, ...nameParam }),
    response: McpRegistryList,
    answerHeaders: ['etag'],
    errors: [...disabled, 'registry-server-not-found'],
  }),
  version: endpoint({
    id: 'mcp-registry.version',
    origin: 'own',
    method: 'GET',
    path: `${one}/{server_version}`,
    summary: 'Get an approved version of an MCP server, or "latest"',
    access: read,
    anyOrigin: true,
    params: Type.Object({
      ...tenantParams,
      ...nameParam,
      server_version: Type.String({ minLength: 1, maxLength: 300 }),
    }),
    response: McpRegistryServerResponse,
    answerHeaders: ['etag'],
    errors: [...disabled, 'registry-server-not-found'],
  }),
} as const
