import { Type } from '@sinclair/typebox'
import { endpointStates, transports } from '../mcp-catalogue/types.ts'
import { endpoint } from './endpoint.ts'
import {
  McpEndpoint,
  McpManifest,
  McpManifestImportRequest,
  McpManifestImportResponse,
  McpManifestPreview,
  McpObservation,
  mcpObservers,
  McpSurface,
  McpSurfaceDiff,
  McpSurfaceProvenance,
  McpToolChains,
} from './mcp-server-shapes.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { stableQuery } from './shapes.ts'
import { countedStablePage, idParam, may, person, tenantParams } from './kit.ts'

const base = '/v1/mcp/{tenant_slug}/endpoints'
const one = `${base}/{endpoint_id}`
const oneParams = Type.Object({ ...tenantParams, endpoint_id: idParam })
// Manifests are texts: one value each.
const largeBody = { bodyLimit: 9 * 1024 * 1024, bodyValues: 1000 } as const
const read = [
  'manifest-invalid',
  'manifest-no-transport',
  'transport-unknown',
  'endpoint-address-invalid',
  'analysis-stopped',
] as const
const found = ['mcp-endpoint-not-found'] as const
const which =
  'approved, observed, declared, or a fingerprint of an observation of this endpoint; a declaration has no fingerprint where it names no tools.'

/** The catalogue of MCP servers. */
export const mcpServersApi = {
  import: endpoint({
    id: 'mcp-servers.import',
    origin: 'spec',
    method: 'POST',
    path: `${base}/manifest-import`,
    summary: 'Import a manifest of an MCP server; a known server gets another declaration and no duplicate',
    description:
      'The content tells the format: server.json of every schema version, a tools/list answer, Docker’s server.yaml, an MCPB manifest, or an mcpServers configuration. Values of secrets are dropped before anything is stored.',
    access: may('mcp:import'),
    params: Type.Object(tenantParams),
    body: McpManifestImportRequest,
    ...largeBody,
    response: McpManifestImportResponse,
    errors: [...read, 'mcp-endpoints-exceeded', 'quota-exceeded'],
  }),
  preview: endpoint({
    id: 'mcp-servers.preview',
    origin: 'own',
    method: 'POST',
    path: `${base}/manifest-import/preview`,
    summary: 'Show what an import of a manifest would do, without writing anything',
    access: may('projects:view'),
    params: Type.Object(tenantParams),
    body: McpManifestImportRequest,
    ...largeBody,
    response: McpManifestPreview,
    errors: read,
  }),
  manifests: endpoint({
    id: 'mcp-servers.manifests',
    origin: 'spec',
    method: 'GET',
    path: `${one}/manifests`,
    summary: 'List the declarations of an MCP server, newest first',
    access: may('projects:view'),
    params: oneParams,
    query: Type.Object({
      include_retired: Type.Optional(Type.Boolean({ description: 'Superseded declarations too.' })),
    }),
    response: titled(
      'McpDeclaredManifestListResponse',
      Type.Object({ success: Type.Boolean(), manifests: Type.Array(McpManifest) }),
    ),
    errors: found,
  }),
  provenance: endpoint({
    id: 'mcp-servers.provenance',
    origin: 'spec',
    method: 'GET',
    path: `${one}/surface-provenance`,
    summary: 'Compare the declared and the observed surface of an MCP server',
    access: may('projects:view'),
    params: oneParams,
    response: McpSurfaceProvenance,
    errors: [...found, 'analysis-stopped'],
  }),
  list: endpoint({
    id: 'mcp-servers.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List the MCP servers of the catalogue, newest first',
    access: may('projects:view'),
    params: Type.Object(tenantParams),
    query: Type.Object({
      q: Type.Optional(
        Type.String({ maxLength: 200, description: 'Part of the name, title or address, in any case.' }),
      ),
      state: Type.Optional(oneOf(endpointStates)),
      transport: Type.Optional(oneOf(transports)),
      approved: Type.Optional(Type.Boolean()),
      ...stableQuery,
    }),
    response: Type.Object({ endpoints: Type.Array(McpEndpoint), ...countedStablePage }),
    errors: [],
  }),
  get: endpoint({
    id: 'mcp-servers.get',
    origin: 'own',
    method: 'GET',
    path: one,
    summary: 'Get an MCP server of the catalogue',
    access: may('projects:view'),
    params: oneParams,
    response: McpEndpoint,
    errors: found,
  }),
  update: endpoint({
    id: 'mcp-servers.update',
    origin: 'own',
    method: 'PATCH',
    path: one,
    summary: 'Change the name, the labels, or the header that observations of an MCP server send',
    access: may('mcp:import'),
    params: oneParams,
    body: titled(
      'McpEndpointUpdate',
      bodyOf({
        name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
        title: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 200 }))),
        labels: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: 20 })),
        header: Type.Optional(
          orNull(
            bodyOf({
              name: Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' }),
              value: Type.String({
                minLength: 1,
                maxLength: 4096,
                pattern: '^[\\t\\x20-\\x7e]+$',
                description: 'Write-only. Sent to the origin of the address and nowhere else.',
              }),
            }),
          ),
        ),
      }),
    ),
    response: McpEndpoint,
    errors: [...found, 'observe-header-invalid', 'secret-key-missing', 'secret-key-unusable'],
  }),
  remove: endpoint({
    id: 'mcp-servers.delete',
    origin: 'own',
    method: 'DELETE',
    path: one,
    summary: 'Remove an MCP server from the catalogue, with its declarations, observations and approvals',
    access: person('mcp:govern'),
    params: oneParams,
    status: 204,
    response: Type.Null(),
    errors: found,
  }),
  observe: endpoint({
    id: 'mcp-servers.observe',
    origin: 'own',
    method: 'POST',
    path: `${one}/observe`,
    summary: 'Observe an MCP server now: the service asks for its tools, resources and prompts',
    description:
      'Nothing but initialize and the lists is asked, and nothing but the origin of its address. A server that a command starts is observed with "svc mcp-server observe" where it runs.',
    access: may('mcp:import'),
    params: oneParams,
    status: 202,
    response: titled('McpObservationQueued', Type.Object({ endpoint_id: Type.String(), queued_at: dateTime() })),
    errors: [...found, 'observe-stdio-refused', 'observe-address-unusable'],
  }),
  upload: endpoint({
    id: 'mcp-servers.upload-observation',
    origin: 'own',
    method: 'POST',
    path: `${one}/observations`,
    summary: 'Upload an observation of an MCP server that was made elsewhere, for example in CI',
    access: may('mcp:import'),
    params: oneParams,
    body: titled(
      'McpObservationUpload',
      bodyOf({
        by: Type.Optional(oneOf(['cli', 'ci'])),
        surface: Type.String({
          minLength: 1,
          description:
            'The lists as JSON text: {"server", "protocolVersion", "tools", "resources", "resourceTemplates", "prompts"}.',
        }),
      }),
    ),
    ...largeBody,
    status: 201,
    response: titled('McpObservationUploaded', Type.Object({ observation: McpObservation, endpoint: McpEndpoint })),
    errors: [...found, 'manifest-invalid', 'observation-too-large', 'quota-exceeded', 'analysis-stopped'],
  }),
  observations: endpoint({
    id: 'mcp-servers.observations',
    origin: 'own',
    method: 'GET',
    path: `${one}/observations`,
    summary: 'List the observations of an MCP server, newest first',
    access: may('projects:view'),
    params: oneParams,
    query: Type.Object({
      changed: Type.Optional(
        Type.Boolean({ description: 'Only observations whose surface differs from the one before.' }),
      ),
      by: Type.Optional(oneOf(mcpObservers)),
      ...stableQuery,
    }),
    response: Type.Object({ observations: Type.Array(McpObservation), ...countedStablePage }),
    errors: found,
  }),
  surface: endpoint({
    id: 'mcp-servers.surface',
    origin: 'own',
    method: 'GET',
    path: `${one}/surface`,
    summary: 'Get what an MCP server offers, as it sent it',
    access: may('projects:view'),
    params: oneParams,
    query: Type.Object({ at: Type.Optional(Type.String({ description: `${which} observed when omitted.` })) }),
    response: McpSurface,
    errors: [...found, 'mcp-surface-not-found'],
  }),
  diff: endpoint({
    id: 'mcp-servers.surface-diff',
    origin: 'own',
    method: 'GET',
    path: `${one}/surface-diff`,
    summary: 'Compare two surfaces of an MCP server, with example values that only one of them accepts',
    access: may('projects:view'),
    params: oneParams,
    query: Type.Object({
      from: Type.Optional(Type.String({ description: `${which} approved when omitted, else declared.` })),
      to: Type.Optional(Type.String({ description: 'One of the same surfaces; observed when omitted.' })),
    }),
    response: McpSurfaceDiff,
    errors: [...found, 'mcp-surface-not-found', 'analysis-stopped'],
  }),
  chains: endpoint({
    id: 'mcp-servers.chains',
    origin: 'own',
    method: 'GET',
    path: `${one}/chains`,
    summary: 'Decide for each tool of an MCP server whether what it answers is what another one takes',
    description:
      'The values of the output schema of one tool are compared with those that the input schema of another one allows. A value that is refused is answered with it. Half of the time of an analysis is for the pairs, those with small schemas first; the others are answered as undecided, with the reason, and so are schemas of more than 64 KiB.',
    access: may('projects:view'),
    params: oneParams,
    query: Type.Object({
      at: Type.Optional(Type.String({ description: `${which} observed when omitted, else declared.` })),
    }),
    response: McpToolChains,
    errors: [...found, 'mcp-surface-not-found', 'analysis-stopped'],
  }),
  approve: endpoint({
    id: 'mcp-servers.approve',
    origin: 'own',
    method: 'POST',
    path: `${one}/approve`,
    summary: 'Approve the observed surface of an MCP server by its fingerprint',
    description:
      'The fingerprint names what was looked at: where the server offers something else by now, the answer is 409 approve-stale.',
    access: person('mcp:govern'),
    params: oneParams,
    body: titled(
      'McpApproval',
      bodyOf({
        fingerprint: Type.String({ minLength: 1, maxLength: 100 }),
        note: Type.Optional(orNull(Type.String({ maxLength: 2000 }))),
      }),
    ),
    response: McpEndpoint,
    errors: [...found, 'approve-stale', 'approval-self'],
  }),
} as const
