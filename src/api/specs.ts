/** Longer than 400 lines: the declarations of one group of operations, in the order of the documentation. */
import { Type, type Static } from '@sinclair/typebox'
import { endpoint, type Access } from './endpoint.ts'
import { SpecMcpItem, SpecMcpPart, SpecMcpServer, specItemKinds } from './spec-mcp-server-shapes.ts'
import { dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { agentHeaders, publishedParams, publishedPath } from './kit.ts'

/** A published version as catalogues show it; `spec` is how every other operation here is asked about it. */
export const SpecRecord = titled(
  'SpecRecord',
  Type.Object({
    spec: Type.String({ description: 'tenant/project/version' }),
    title: Type.String(),
    format: Type.String({ description: 'Kind and version of the format, as "openapi 3.1".' }),
    status: oneOf(['published', 'deprecated']),
    visibility: oneOf(['public', 'private']),
    operations: Type.Integer(),
    schemas: Type.Integer(),
    grade: orNull(Type.String()),
    published_at: orNull(dateTime()),
  }),
)
export type SpecRecord = Static<typeof SpecRecord>

export const SpecProject = titled(
  'SpecProject',
  Type.Object({
    project: Type.String({ description: 'tenant/project' }),
    name: Type.String(),
    description: orNull(Type.String()),
    versions: Type.Integer({ description: 'Published versions that the caller sees.' }),
    latest: orNull(Type.String({ description: 'Label of the greatest published version.' })),
  }),
)
export type SpecProject = Static<typeof SpecProject>

export const SpecOperation = titled(
  'SpecOperation',
  Type.Object({
    ref: Type.String({ description: 'Method and path, as "GET /pets/{id}".' }),
    operation_id: orNull(Type.String()),
    summary: Type.String(),
    tags: Type.Array(Type.String()),
    deprecated: Type.Boolean(),
  }),
)
export type SpecOperation = Static<typeof SpecOperation>

export const SpecHit = titled(
  'SpecHit',
  Type.Object({
    spec: Type.String(),
    title: Type.String(),
    ...SpecOperation.properties,
    similarity: Type.Optional(Type.Number({ description: 'Semantic search: similarity to the query, at most 1.' })),
  }),
)
export type SpecHit = Static<typeof SpecHit>

/** A part of a document with what it refers to: nearest first, as far as the limit of bytes reaches. */
export const SpecPart = titled(
  'SpecPart',
  Type.Object({
    spec: Type.String(),
    name: Type.String({ description: 'The operation as "GET /pets/{id}", or the name of the schema.' }),
    pointer: Type.String({ description: 'Place in the document.' }),
    value: Type.Unknown(),
    referenced: Type.Record(Type.String(), Type.Unknown(), { description: 'Schemas that it refers to, by "$ref".' }),
    omitted: Type.Array(Type.String(), { description: '"$ref"s that were left out because of the limit.' }),
    total: Type.Integer({
      description:
        'Definitions that belong to it: itself, what it refers to, and what those refer to, whatever the limit.',
    }),
  }),
)
export type SpecPart = Static<typeof SpecPart>

/** A registered type as agents see it. */
export const SpecType = titled(
  'SpecType',
  Type.Object({
    type: Type.String({ description: 'Its reference, for a "$ref": svc:namespace/name.' }),
    tenant: orNull(Type.String({ description: 'Slug of the organization; null: it comes with svc.' })),
    scope: oneOf(['standard', 'core', 'tenant', 'custom']),
    visibility: oneOf(['public', 'private']),
    description: Type.String(),
    revision: Type.Integer(),
    deprecated: Type.Boolean(),
    similarity: Type.Optional(Type.Number({ description: 'Semantic search: similarity to the query, at most 1.' })),
  }),
)
export type SpecType = Static<typeof SpecType>

export const SpecTypePart = titled(
  'SpecTypePart',
  Type.Object({
    ...SpecType.properties,
    schema: Type.Unknown(),
    referenced: Type.Record(Type.String(), Type.Unknown(), { description: 'Types that it refers to, by reference.' }),
    omitted: Type.Array(Type.String(), { description: 'References that were left out because of the limit.' }),
  }),
)
export type SpecTypePart = Static<typeof SpecTypePart>

const cursorPage = {
  cursor: Type.Optional(Type.String({ maxLength: 500, description: 'next_cursor of the page before.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
}
const q = Type.Optional(Type.String({ maxLength: 200, description: 'Words that must all occur, in any case.' }))
const listOf = <T extends typeof SpecRecord | typeof SpecProject | typeof SpecOperation | typeof SpecHit>(item: T) =>
  Type.Object({ items: Type.Array(item), total: Type.Integer(), next_cursor: orNull(Type.String()) })

const access: Access = {
  anonymous: true,
  reason: 'public versions are for everyone; credentials add the private ones of their organization',
  credentials: 'optional',
}
const params = Type.Object(publishedParams)
const base = '/v1/specs'
const one = `${base}/${publishedPath}`

/** Published specifications of all tenants that the caller may read. Agents read these. */
export const specsApi = {
  caller: endpoint({
    id: 'specs.caller',
    origin: 'own',
    method: 'GET',
    path: `${base}/caller`,
    summary: 'Get the caller and the tools of these credentials; checks the database',
    access,
    headers: agentHeaders,
    query: Type.Object({
      tool: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Refuse the request if these credentials must not call this tool.',
        }),
      ),
    }),
    response: Type.Object({
      service: Type.String(),
      version: Type.String(),
      database: oneOf(['ok']),
      caller: oneOf(['anonymous', 'user', 'api-key', 'agent-key', 'mcp-key']),
      tools: Type.Array(Type.String(), { description: 'The tools that these credentials may call.' }),
    }),
    errors: ['capability_disabled', 'database-unavailable'],
  }),
  projects: endpoint({
    id: 'specs.projects',
    origin: 'own',
    method: 'GET',
    path: `${base}/projects`,
    summary: 'List projects with a published version, by name',
    access,
    headers: agentHeaders,
    query: Type.Object({ ...cursorPage, q, tenant: Type.Optional(Type.String({ maxLength: 100 })) }),
    response: listOf(SpecProject),
    errors: ['capability_disabled', 'cursor-invalid'],
  }),
  list: endpoint({
    id: 'specs.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List published versions, newest first',
    access,
    headers: agentHeaders,
    query: Type.Object({
      ...cursorPage,
      q,
      tenant: Type.Optional(Type.String({ maxLength: 100 })),
      project: Type.Optional(Type.String({ maxLength: 100, description: 'Slug of a project.' })),
    }),
    response: listOf(SpecRecord),
    errors: ['capability_disabled', 'cursor-invalid'],
  }),
  search: endpoint({
    id: 'specs.search',
    origin: 'own',
    method: 'GET',
    path: `${base}/search`,
    summary: 'Search operations of published versions, best matches first',
    access,
    headers: agentHeaders,
    query: Type.Object({
      q: Type.String({ minLength: 1, maxLength: 200 }),
      mode: Type.Optional(oneOf(['words', 'semantic'])),
      spec: Type.Optional(
        Type.String({
          maxLength: 300,
          description: 'Slugs of an organization, organization/project or organization/project/version.',
        }),
      ),
      ...cursorPage,
    }),
    response: Type.Object({
      ...listOf(SpecHit).properties,
      not_indexed: Type.Optional(
        Type.Integer({
          description: 'Semantic search: versions that are not indexed yet and therefore missing in the answer.',
        }),
      ),
    }),
    errors: [
      'capability_disabled',
      'cursor-invalid',
      'spec-not-found',
      'semantic-search-unavailable',
      'embedding-failed',
      'egress-denied',
    ],
  }),
  describe: endpoint({
    id: 'specs.describe',
    origin: 'own',
    method: 'GET',
    path: one,
    summary: 'Describe a version: description, servers, tags, authentication',
    access,
    headers: agentHeaders,
    params,
    response: Type.Object({
      ...SpecRecord.properties,
      description: orNull(Type.String()),
      servers: Type.Array(Type.String()),
      security: Type.Array(Type.String(), { description: 'Ways to authenticate, as "name: type".' }),
      tags: Type.Array(
        Type.Object({ name: Type.String(), description: orNull(Type.String()), operations: Type.Integer() }),
      ),
      schema_names: Type.Array(Type.String()),
    }),
    errors: ['capability_disabled', 'spec-not-found', 'analysis-stopped'],
  }),
  operations: endpoint({
    id: 'specs.operations',
    origin: 'own',
    method: 'GET',
    path: `${one}/operations`,
    summary: 'List the operations of a version in document order',
    access,
    headers: agentHeaders,
    params,
    query: Type.Object({
      ...cursorPage,
      q,
      tag: Type.Optional(Type.String({ maxLength: 200, description: 'Only operations with this tag.' })),
    }),
    response: listOf(SpecOperation),
    errors: ['capability_disabled', 'spec-not-found', 'cursor-invalid'],
  }),
  part: endpoint({
    id: 'specs.part',
    origin: 'own',
    method: 'GET',
    path: `${one}/part`,
    summary: 'Get an operation or a schema with what it refers to',
    access,
    headers: agentHeaders,
    params,
    query: Type.Object({
      operation: Type.Optional(Type.String({ maxLength: 2000, description: '"GET /pets/{id}", or an operationId.' })),
      schema: Type.Optional(Type.String({ maxLength: 500, description: 'Name of a schema, or a "$ref" text.' })),
      limit_bytes: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_000_000, default: 200_000 })),
    }),
    response: SpecPart,
    errors: [
      'capability_disabled',
      'spec-not-found',
      'operation-not-found',
      'class-not-found',
      'request-malformed',
      'analysis-stopped',
    ],
  }),
  types: endpoint({
    id: 'specs.types',
    origin: 'own',
    method: 'GET',
    path: `${base}/types`,
    summary: 'List registered types by reference, or find types by semantic search, best matches first',
    access,
    headers: agentHeaders,
    query: Type.Object({
      ...cursorPage,
      q,
      mode: Type.Optional(oneOf(['words', 'semantic'])),
      tenant: Type.Optional(Type.String({ maxLength: 100 })),
      namespace: Type.Optional(Type.String({ maxLength: 300, description: 'Exactly this namespace.' })),
    }),
    response: Type.Object({
      items: Type.Array(SpecType),
      total: Type.Integer(),
      next_cursor: orNull(Type.String()),
      not_indexed: Type.Optional(
        Type.Integer({
          description: 'Semantic search: types that are not indexed yet and therefore missing in the answer.',
        }),
      ),
    }),
    errors: [
      'capability_disabled',
      'cursor-invalid',
      'usage',
      'semantic-search-unavailable',
      'embedding-failed',
      'egress-denied',
    ],
  }),
  type: endpoint({
    id: 'specs.type',
    origin: 'own',
    method: 'GET',
    path: `${base}/type`,
    summary: 'Get a registered type with the types that it refers to',
    access,
    headers: agentHeaders,
    query: Type.Object({
      type: Type.String({ minLength: 1, maxLength: 500, description: 'Reference, with @revision for an earlier one.' }),
      tenant: Type.Optional(Type.String({ maxLength: 100, description: 'Where several organizations have it.' })),
      limit_bytes: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_000_000, default: 200_000 })),
    }),
    response: SpecTypePart,
    errors: ['capability_disabled', 'primitive-not-found', 'primitive-revision-not-found'],
  }),
  mcpServers: endpoint({
    id: 'specs.mcp-servers',
    origin: 'own',
    method: 'GET',
    path: `${base}/mcp-servers`,
    summary: 'List the MCP servers that the organizations of the caller know, by name',
    access,
    headers: agentHeaders,
    query: Type.Object({
      ...cursorPage,
      q,
      approved: Type.Optional(Type.Boolean({ description: 'Only servers that offer exactly what was approved.' })),
    }),
    response: Type.Object({
      items: Type.Array(SpecMcpServer),
      total: Type.Integer(),
      next_cursor: orNull(Type.String()),
    }),
    errors: ['capability_disabled', 'cursor-invalid'],
  }),
  mcpServer: endpoint({
    id: 'specs.mcp-server',
    origin: 'own',
    method: 'GET',
    path: `${base}/mcp-server`,
    summary: 'Describe an MCP server, with a page of what it offers',
    access,
    headers: agentHeaders,
    query: Type.Object({ ...cursorPage, q, server: Type.String({ minLength: 1, maxLength: 100 }) }),
    response: Type.Object({
      about: SpecMcpServer,
      items: Type.Array(SpecMcpItem),
      total: Type.Integer(),
      next_cursor: orNull(Type.String()),
    }),
    errors: ['capability_disabled', 'cursor-invalid', 'mcp-endpoint-not-found', 'mcp-surface-not-found'],
  }),
  mcpItem: endpoint({
    id: 'specs.mcp-item',
    origin: 'own',
    method: 'GET',
    path: `${base}/mcp-item`,
    summary: 'Get a tool, resource or prompt of an MCP server as the server sent it',
    access,
    headers: agentHeaders,
    query: Type.Object({
      server: Type.String({ minLength: 1, maxLength: 100 }),
      kind: Type.Optional(oneOf(specItemKinds, 'tool when omitted.')),
      name: Type.String({ minLength: 1, maxLength: 2000, description: 'Of a resource its URI.' }),
    }),
    response: SpecMcpPart,
    errors: ['capability_disabled', 'mcp-endpoint-not-found', 'mcp-surface-not-found'],
  }),
  export: endpoint({
    id: 'specs.export',
    origin: 'own',
    method: 'GET',
    path: `${one}/export`,
    summary: 'Get a rendered document in parts',
    access,
    headers: agentHeaders,
    params,
    query: Type.Object({
      cursor: cursorPage.cursor,
      limit_bytes: Type.Optional(Type.Integer({ minimum: 256, maximum: 1_000_000, default: 20_000 })),
      format: Type.Optional(oneOf(['openapi', 'json-schema', 'arazzo'])),
      class_name: Type.Optional(
        Type.String({ maxLength: 500, description: 'Only this schema and what it refers to.' }),
      ),
    }),
    response: Type.Object({
      spec: Type.String(),
      media_type: Type.String(),
      digest: Type.String({ description: 'SHA-256 of the whole document.' }),
      total_bytes: Type.Integer(),
      content: Type.String(),
      next_cursor: orNull(Type.String()),
      url: Type.String({ description: 'Address of the whole document.' }),
    }),
    errors: [
      'analysis-stopped',
      'capability_disabled',
      'spec-not-found',
      'cursor-invalid',
      'document-invalid',
      'no-workflows',
      'class-not-found',
    ],
  }),
} as const
