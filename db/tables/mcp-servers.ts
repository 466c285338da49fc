import { index, pgTable } from 'drizzle-orm/pg-core'
import { bool, integer, json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

export const mcpTransports = ['streamable_http', 'sse', 'stdio'] as const
export const mcpObservers = ['service', 'cli', 'ci'] as const

/** How many items of each kind a surface has. */
export interface McpCounts {
  readonly tools: number
  readonly resources: number
  readonly templates: number
  readonly prompts: number
}

/** The MCP servers that an organization knows. What they offer is in `contents`, by digest. */
export const mcpEndpoints = pgTable(
  'mcp_endpoints',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    title: text('title'),
    description: text('description'),
    /** In normal form; null for servers that are started by a command. */
    address: text('address'),
    /** What it is recognized by: addresses, packages, commands. */
    keys: json<string[]>()('keys').notNull(),
    /** Variables in the address: where there is one, the service cannot observe it. */
    variables: json<string[]>()('variables').notNull(),
    transport: text('transport', { enum: mcpTransports }).notNull(),
    addedVia: text('added_via', { enum: ['import', 'manual', 'repository'] }).notNull(),
    labels: json<string[]>()('labels').notNull(),
    /** The header that observations send, and its value in the vault. */
    headerName: text('header_name'),
    headerSecretId: text('header_secret_id'),
    manifestId: text('manifest_id'),
    /** Of the current declaration; null where it names no tools, resources or prompts. */
    declaredFingerprint: text('declared_fingerprint'),
    declaredCounts: json<McpCounts>()('declared_counts').notNull(),
    declaredAt: timestamp('declared_at'),
    observedFingerprint: text('observed_fingerprint'),
    observedDigest: text('observed_digest'),
    observedCounts: json<McpCounts>()('observed_counts').notNull(),
    observedAt: timestamp('observed_at'),
    observedBy: text('observed_by', { enum: mcpObservers }),
    protocolVersion: text('protocol_version'),
    /** Of what was observed, else of what is declared: other servers are checked for the same names. */
    toolNames: json<string[]>()('tool_names').notNull(),
    approvedFingerprint: text('approved_fingerprint'),
    approvedDigest: text('approved_digest'),
    approvedBy: text('approved_by'),
    approvedAt: timestamp('approved_at'),
    approvedNote: text('approved_note'),
    /** The last approval, which the registry lists. */
    approvalId: text('approval_id'),
    /** Facts whose declared and observed values differ. */
    conflicts: integer('conflicts').notNull(),
    surfaceMatch: text('surface_match', {
      enum: ['none', 'declared_only', 'observed_only', 'identical', 'divergent'],
    }).notNull(),
    state: text('state', {
      enum: ['ok', 'drifted', 'conflicting', 'unreachable', 'auth-required', 'never-observed'],
    }).notNull(),
    /** What the last attempt to observe it failed with; null where it did not. */
    failureClass: text('failure_class'),
    failureMessage: text('failure_message'),
    failedAt: timestamp('failed_at'),
    /** Attempts that failed since the last one that did not. */
    failures: integer('failures').notNull(),
    /** When it is observed next; null: never by the service. */
    dueAt: timestamp('due_at'),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    index('mcp_endpoints_tenant_idx').on(t.tenantId, t.createdAt, t.id),
    index('mcp_endpoints_declared_idx').on(t.tenantId, t.declaredFingerprint),
    index('mcp_endpoints_observed_idx').on(t.tenantId, t.observedFingerprint),
  ],
)

/** What was declared of a server: manifests as they were imported, without secrets. */
export const mcpManifests = pgTable(
  'mcp_manifests',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => mcpEndpoints.id, { onDelete: 'cascade' }),
    format: text('format').notNull(),
    schemaVersion: text('schema_version'),
    name: text('name').notNull(),
    version: text('version'),
    fingerprint: text('fingerprint'),
    counts: json<McpCounts>()('counts').notNull(),
    /** Recorded, never fetched. */
    sourceLabel: text('source_label'),
    status: text('status', { enum: ['declared', 'superseded'] }).notNull(),
    /** What was declared, as it was read: the input of facts. */
    digest: text('digest').notNull(),
    declaredAt: timestamp('declared_at').notNull(),
    retiredAt: timestamp('retired_at'),
    declaredBy: text('declared_by'),
  },
  (t) => [index('mcp_manifests_endpoint_idx').on(t.tenantId, t.endpointId, t.declaredAt, t.id)],
)

/** What servers were seen to offer, and attempts that failed. */
export const mcpObservations = pgTable(
  'mcp_observations',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => mcpEndpoints.id, { onDelete: 'cascade' }),
    by: text('by', { enum: mcpObservers }).notNull(),
    at: timestamp('at').notNull(),
    protocolVersion: text('protocol_version'),
    /** Both null where it failed. */
    wire: text('wire'),
    semantic: text('semantic'),
    digest: text('digest'),
    counts: json<McpCounts>()('counts').notNull(),
    bytes: integer('bytes').notNull(),
    pages: integer('pages').notNull(),
    /** Whether it is another surface than the one before. */
    changed: bool('changed').notNull(),
    /** What changed since the one before, in counts by severity. */
    change: json<{
      severity: 'breaking' | 'non-breaking' | 'docs-only' | null
      counts: Record<string, number>
    } | null>()('change'),
    failureClass: text('failure_class'),
    failureMessage: text('failure_message'),
    actor: text('actor'),
  },
  (t) => [
    index('mcp_observations_endpoint_idx').on(t.tenantId, t.endpointId, t.at, t.id),
    index('mcp_observations_age_idx').on(t.at),
  ],
)

/** Each approval, with what the registry says of the server from then on. */
export const mcpApprovals = pgTable(
  'mcp_approvals',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => mcpEndpoints.id, { onDelete: 'cascade' }),
    fingerprint: text('fingerprint').notNull(),
    note: text('note'),
    /** The name in the registry: one server for each. */
    serverName: text('server_name').notNull(),
    version: text('version').notNull(),
    /** In the format of the official registry (server.json). */
    server: json<Record<string, unknown>>()('server').notNull(),
    approvedBy: text('approved_by'),
    approvedAt: timestamp('approved_at').notNull(),
  },
  (t) => [
    index('mcp_approvals_endpoint_idx').on(t.tenantId, t.endpointId, t.approvedAt, t.id),
    index('mcp_approvals_name_idx').on(t.tenantId, t.serverName),
  ],
)

/** Whether an organization publishes its approved servers as a registry. */
export const mcpRegistries = pgTable('mcp_registries', {
  tenantId: text('tenant_id')
    .primaryKey()
    .references(() => tenants.id, { onDelete: 'cascade' }),
  enabled: bool('enabled').notNull(),
  audience: text('audience', { enum: ['anyone-with-link', 'public'] }).notNull(),
  updatedBy: text('updated_by'),
  updatedAt: timestamp('updated_at').notNull(),
})
