import { Type, type Static } from '@sinclair/typebox'
import {
  endpointStates,
  factKinds,
  factOrigins,
  manifestFormats,
  mostChainedTools,
  surfaceMatches,
  transports,
} from '../mcp-catalogue/types.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'

/** Who observed a server: the service, a person, or a pipeline. */
export const mcpObservers = ['service', 'cli', 'ci'] as const
export const mcpObservationFailures = [
  'auth-required',
  'unreachable',
  'timeout',
  'too-large',
  'redirected',
  'refused',
  'protocol',
] as const
const severities = ['breaking', 'non-breaking', 'docs-only'] as const

export const McpCounts = titled(
  'McpCounts',
  Type.Object({
    tools: Type.Integer(),
    resources: Type.Integer(),
    templates: Type.Integer(),
    prompts: Type.Integer(),
  }),
)

const Failure = Type.Object({
  class: oneOf(
    mcpObservationFailures,
    'auth-required: it asks for credentials. refused: its address is not public. protocol: it does not speak MCP as expected.',
  ),
  message: Type.String(),
  at: dateTime(),
})

/** A server of the catalogue. */
export const McpEndpoint = titled(
  'McpEndpoint',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    title: orNull(Type.String()),
    description: orNull(Type.String()),
    address: orNull(Type.String({ description: 'In normal form; null for a server that a command starts.' })),
    variables: Type.Array(Type.String(), {
      description: 'Variables in the address: with one, the service cannot observe the server.',
    }),
    transport: oneOf(transports),
    added_via: oneOf(['import', 'manual', 'repository']),
    labels: Type.Array(Type.String()),
    header: orNull(
      Type.Object({
        name: Type.String({ description: 'The header that observations send; its value is never answered.' }),
      }),
    ),
    declared: orNull(
      Type.Object({
        manifest_id: Type.String(),
        fingerprint: orNull(Type.String({ description: 'Null: it names no tools, resources or prompts.' })),
        declared_at: dateTime(),
      }),
    ),
    observed: orNull(
      Type.Object({
        fingerprint: Type.String(),
        observed_at: dateTime(),
        by: oneOf(mcpObservers),
        protocol_version: orNull(Type.String()),
        age_seconds: Type.Integer(),
      }),
    ),
    approved: orNull(
      Type.Object({
        fingerprint: Type.String(),
        by: orNull(Type.String()),
        at: dateTime(),
        note: orNull(Type.String()),
      }),
    ),
    surface_match: oneOf(surfaceMatches),
    counts: McpCounts,
    state: oneOf(
      endpointStates,
      'drifted: what is observed is not what was approved. conflicting: what is observed is not what is declared.',
    ),
    failure: orNull(Failure),
    next_observation_at: orNull(dateTime('Null: the service does not observe it.')),
    created_by: orNull(Type.String()),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)
export type McpEndpoint = Static<typeof McpEndpoint>

/** What was declared of a server. */
export const McpManifest = titled(
  'McpDeclaredManifest',
  Type.Object({
    id: Type.String(),
    endpoint_id: Type.String(),
    format: oneOf(manifestFormats),
    schema_version: orNull(Type.String()),
    name: Type.String(),
    version: orNull(Type.String()),
    fingerprint: orNull(Type.String()),
    counts: McpCounts,
    source_label: orNull(Type.String()),
    status: oneOf(['declared', 'superseded']),
    declared_at: dateTime(),
    retired_at: orNull(dateTime()),
    declared_by: orNull(Type.String()),
  }),
)
export type McpManifest = Static<typeof McpManifest>

const Notice = Type.Object({
  code: Type.String({ description: 'Such as "secret-dropped": the value was not stored.' }),
  message: Type.String(),
  pointer: Type.String(),
  line: Type.Integer(),
  column: Type.Integer(),
})

const decision = {
  endpoint_created: Type.Boolean(),
  match: oneOf(['address', 'surface', 'none']),
  surface_conflict: Type.Boolean({ description: 'The same surface is declared at another address.' }),
  observed_fingerprint: orNull(Type.String()),
  superseded_manifests: Type.Integer(),
  reason: Type.String(),
}

const Imported = titled('McpImportedServer', Type.Object({ endpoint: McpEndpoint, manifest: McpManifest, ...decision }))
export const McpManifestImportRequest = titled(
  'McpManifestImportRequest',
  bodyOf({
    manifest: Type.String({ minLength: 1, description: 'The manifest as JSON or YAML text.' }),
    tools: Type.Optional(
      orNull(Type.String({ description: 'The text of tools.json beside a server.yaml of Docker’s catalogue.' })),
    ),
    endpoint_url: Type.Optional(
      orNull(Type.String({ maxLength: 2048, description: 'Required where the manifest declares no transport.' })),
    ),
    transport: Type.Optional(
      orNull(Type.String({ description: 'streamable_http, sse or stdio; that of the manifest when omitted.' })),
    ),
    source_label: Type.Optional(
      orNull(Type.String({ maxLength: 500, description: 'Source of the manifest. It is recorded and never fetched.' })),
    ),
  }),
)

/** `more` and `notices` are additions. */
export const McpManifestImportResponse = titled(
  'McpManifestImportResponse',
  Type.Object({
    success: Type.Boolean(),
    endpoint: McpEndpoint,
    manifest: McpManifest,
    ...decision,
    more: Type.Array(Imported, { description: 'The other servers of a manifest that declares several.' }),
    notices: Type.Array(Notice, { description: 'Parts that were left out of the stored copy, and why.' }),
  }),
)

/** What an import would do. */
export const McpManifestPreview = titled(
  'McpManifestPreview',
  Type.Object({
    format: oneOf(manifestFormats),
    schema_version: orNull(Type.String()),
    servers: Type.Array(
      Type.Object({
        name: Type.String(),
        transport: oneOf(transports),
        address: orNull(Type.String()),
        fingerprint: orNull(Type.String()),
        counts: McpCounts,
        endpoint_id: orNull(Type.String({ description: 'The endpoint that it would be a declaration of.' })),
        ...decision,
      }),
    ),
    notices: Type.Array(Notice),
  }),
)

/** An attempt to observe a server. */
export const McpObservation = titled(
  'McpObservation',
  Type.Object({
    id: Type.String(),
    endpoint_id: Type.String(),
    by: oneOf(mcpObservers),
    at: dateTime(),
    protocol_version: orNull(Type.String()),
    fingerprint: orNull(
      Type.Object({
        wire: Type.String({ description: 'Digest of everything that the server sent.' }),
        semantic: Type.String({ description: 'Digest of the names and schemas only.' }),
      }),
    ),
    counts: McpCounts,
    bytes: Type.Integer(),
    pages: Type.Integer(),
    changed: Type.Boolean({ description: 'Whether the surface differs from the one before.' }),
    change: orNull(
      Type.Object({
        severity: orNull(oneOf(severities)),
        counts: Type.Record(Type.String(), Type.Integer()),
      }),
    ),
    error: orNull(Type.Object({ class: oneOf(mcpObservationFailures), message: Type.String() })),
  }),
)
export type McpObservation = Static<typeof McpObservation>

const Warning = Type.Object({ code: Type.String(), message: Type.String() })

const SurfaceChange = titled(
  'McpSurfaceChange',
  Type.Object({
    id: Type.String({ description: 'The change rule.' }),
    severity: oneOf(severities),
    classification: oneOf(['safe', 'breaking', 'unknown']),
    message: Type.String(),
    base_pointer: orNull(Type.String()),
    head_pointer: orNull(Type.String()),
    before: Type.Unknown(),
    after: Type.Unknown(),
    witness: Type.Unknown({ description: 'A value that one side accepts and the other refuses; null without one.' }),
  }),
)

const TextDifference = Type.Object({
  pointer: Type.String(),
  parts: Type.Array(Type.Object({ kind: oneOf(['same', 'removed', 'added']), text: Type.String() })),
  hidden: Type.Array(Type.String(), { description: 'Characters of the new text that people do not see.' }),
})

/** What is known of one part of a server, and from where. */
export const McpFact = titled(
  'McpFact',
  Type.Object({
    kind: oneOf(factKinds),
    key: Type.String(),
    origin: oneOf(factOrigins),
    declared: Type.Optional(Type.Unknown()),
    observed: Type.Optional(Type.Unknown()),
    observed_at: Type.Optional(dateTime()),
    difference: Type.Optional(
      Type.Object({
        severity: oneOf(severities),
        changes: Type.Array(SurfaceChange),
        witness: Type.Unknown(),
      }),
    ),
    warnings: Type.Array(Warning),
  }),
)
export type McpFact = Static<typeof McpFact>
export const McpSurfaceProvenance = titled(
  'McpSurfaceProvenanceResponse',
  Type.Object({
    success: Type.Boolean(),
    endpoint_id: Type.String(),
    surface_match: oneOf(surfaceMatches),
    declared_fingerprint: orNull(Type.String()),
    observed_fingerprint: orNull(Type.String()),
    fingerprints_match: Type.Boolean(),
    origin_counts: Type.Record(Type.String(), Type.Integer()),
    conflict_count: Type.Integer(),
    facts: Type.Array(McpFact),
  }),
)

/** What changed between two surfaces of a server. */
export const McpSurfaceDiff = titled(
  'McpSurfaceDiff',
  Type.Object({
    endpoint_id: Type.String(),
    from: Type.String({ description: 'Fingerprint of the earlier surface.' }),
    to: Type.String({ description: 'Fingerprint of the later surface.' }),
    is_same: Type.Boolean(),
    is_same_meaning: Type.Boolean({
      description: 'Names and schemas are the same: only texts and annotations changed.',
    }),
    severity: orNull(oneOf(severities)),
    counts: Type.Record(Type.String(), Type.Integer()),
    items: Type.Array(
      Type.Object({
        kind: oneOf(['tool', 'resource', 'template', 'prompt']),
        key: Type.String(),
        action: oneOf(['added', 'removed', 'changed']),
        severity: oneOf(severities),
        changes: Type.Array(SurfaceChange),
        change_count: Type.Integer(),
        texts: Type.Array(TextDifference),
      }),
    ),
    more: Type.Integer({ description: 'How many more items changed.' }),
  }),
)
export type McpSurfaceDiff = Static<typeof McpSurfaceDiff>

const names = (description: string) => Type.Array(Type.String(), { description })

/** Which tools of a server take what others answer. */
export const McpToolChains = titled(
  'McpToolChains',
  Type.Object({
    endpoint_id: Type.String(),
    fingerprint: Type.String({ description: 'The surface whose tools were compared.' }),
    from: names(`The tools with an output schema, at most ${mostChainedTools}.`),
    to: names(`The tools with an input schema, at most ${mostChainedTools}.`),
    pairs: Type.Array(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        fits: orNull(Type.Boolean({ description: 'Every output of from is an input of to; null: undecided.' })),
        counterexample: Type.Optional(
          Type.Unknown({ description: 'An output of from that to refuses; left out over 2,000 characters.' }),
        ),
        reason: Type.Optional(Type.String({ description: 'Why it is refused, or why nothing is decided.' })),
      }),
    ),
    silent: names('The tools without an output schema: nothing is known of what they answer.'),
    omitted: names('The tools that were left out on one side or on both, because there are too many.'),
    more: Type.Integer({ description: 'Pairs that were not compared, because tools were left out.' }),
  }),
)
export type McpToolChains = Static<typeof McpToolChains>

/** What a server offers, as it sent it. */
export const McpSurface = titled(
  'McpSurface',
  Type.Object({
    endpoint_id: Type.String(),
    fingerprint: Type.String(),
    tools: Type.Array(Type.Unknown()),
    resources: Type.Array(Type.Unknown()),
    resourceTemplates: Type.Array(Type.Unknown()),
    prompts: Type.Array(Type.Unknown()),
  }),
)

/** Whether the approved servers are published, and who may read them. */
export const McpRegistry = titled(
  'McpRegistry',
  Type.Object({
    enabled: Type.Boolean(),
    audience: oneOf(
      ['anyone-with-link', 'public'],
      'Both need no credentials. anyone-with-link: answers ask search engines and shared caches to keep nothing.',
    ),
    url: Type.String({ description: 'Base address for agent hosts; they add /v0.1/servers.' }),
    servers: Type.Integer({ description: 'How many approved servers it lists.' }),
    updated_at: orNull(dateTime()),
  }),
)

const RegistryServer = titled(
  'McpRegistryServer',
  Type.Object({
    server: Type.Record(Type.String(), Type.Unknown(), { description: 'server.json of the official registry.' }),
    _meta: Type.Record(Type.String(), Type.Unknown()),
  }),
)
export type McpRegistryServer = Static<typeof RegistryServer>
export const McpRegistryServerResponse = RegistryServer
export const McpRegistryList = titled(
  'McpRegistryList',
  Type.Object({
    servers: Type.Array(RegistryServer),
    metadata: Type.Object({ count: Type.Integer(), nextCursor: Type.Optional(Type.String()) }),
  }),
)
