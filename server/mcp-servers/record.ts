import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { mcpEndpoints, mcpManifests, mcpObservations } from '../../db/tables.gen.ts'
import type { McpEndpoint, McpManifest, McpObservation } from '../../src/api/mcp-server-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import type {
  DeclaredServer,
  ManifestFormat,
  ObservedSurface,
  Surface,
  SurfaceMatch,
} from '../../src/mcp-catalogue/types.ts'
import { readContent } from '../../db/content.ts'
import type { Stored } from '../../db/objects/objects.ts'
import type { ObservationFailure } from './observation/failure.ts'

export type EndpointRow = typeof mcpEndpoints.$inferSelect
export type ManifestRow = typeof mcpManifests.$inferSelect
export type ObservationRow = typeof mcpObservations.$inferSelect

/** The names of the tools of a surface. */
export const toolNamesOf = (surface: Surface | null): string[] =>
  (surface?.tools ?? []).flatMap(({ name }) => (typeof name === 'string' ? [name] : []))

/** A surface without anything. */
export const noCounts = { tools: 0, resources: 0, templates: 0, prompts: 0 } as const

/** @throws SvcError `mcp-endpoint-not-found` */
export async function findEndpoint(reader: Reader, tenantId: string, id: string): Promise<EndpointRow> {
  const [row] = await reader
    .select()
    .from(mcpEndpoints)
    .where(inTenant(mcpEndpoints, tenantId, eq(mcpEndpoints.id, id)))
  if (!row) throw new SvcError('mcp-endpoint-not-found', { endpoint: id })
  return row
}

/** What the service can ask by itself: a server with a whole address. */
export const isObservable = ({ address, transport, variables }: EndpointRow): boolean =>
  transport !== 'stdio' && address !== null && variables.length === 0

/** Whether the declared and the observed surface of an endpoint are the same. */
export function surfaceMatchOf({
  manifestId,
  declaredFingerprint,
  observedFingerprint,
}: Pick<EndpointRow, 'manifestId' | 'declaredFingerprint' | 'observedFingerprint'>): SurfaceMatch {
  if (observedFingerprint === null) return manifestId === null ? 'none' : 'declared_only'
  if (declaredFingerprint === null) return 'observed_only'
  return declaredFingerprint === observedFingerprint ? 'identical' : 'divergent'
}

/** An endpoint as callers see it. */
export function toEndpoint(row: EndpointRow, now: number): McpEndpoint {
  const { observedFingerprint, observedAt, observedBy, approvedFingerprint, approvedAt } = row
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    description: row.description,
    address: row.address,
    variables: row.variables,
    transport: row.transport,
    added_via: row.addedVia,
    labels: row.labels,
    header: row.headerName === null ? null : { name: row.headerName },
    declared:
      row.manifestId === null || row.declaredAt === null
        ? null
        : { manifest_id: row.manifestId, fingerprint: row.declaredFingerprint, declared_at: row.declaredAt },
    observed:
      observedFingerprint === null || observedAt === null || observedBy === null
        ? null
        : {
            fingerprint: observedFingerprint,
            observed_at: observedAt,
            by: observedBy,
            protocol_version: row.protocolVersion,
            age_seconds: Math.max(0, Math.round((now - Date.parse(observedAt)) / 1000)),
          },
    approved:
      approvedFingerprint === null || approvedAt === null
        ? null
        : { fingerprint: approvedFingerprint, by: row.approvedBy, at: approvedAt, note: row.approvedNote },
    surface_match: row.surfaceMatch,
    counts: observedFingerprint === null ? row.declaredCounts : row.observedCounts,
    state: row.state,
    failure:
      row.failureClass === null || row.failedAt === null
        ? null
        : {
            class: row.failureClass as ObservationFailure,
            message: row.failureMessage ?? '',
            at: row.failedAt,
          },
    next_observation_at: row.dueAt,
    created_by: row.createdBy,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}

/** A declaration as callers see it. */
export const toManifest = (row: ManifestRow): McpManifest => ({
  id: row.id,
  endpoint_id: row.endpointId,
  format: row.format as ManifestFormat,
  schema_version: row.schemaVersion,
  name: row.name,
  version: row.version,
  fingerprint: row.fingerprint,
  counts: row.counts,
  source_label: row.sourceLabel,
  status: row.status,
  declared_at: row.declaredAt,
  retired_at: row.retiredAt,
  declared_by: row.declaredBy,
})

/** An observation as callers see it. */
export const toObservation = (row: ObservationRow): McpObservation => ({
  id: row.id,
  endpoint_id: row.endpointId,
  by: row.by,
  at: row.at,
  protocol_version: row.protocolVersion,
  fingerprint: row.wire === null || row.semantic === null ? null : { wire: row.wire, semantic: row.semantic },
  counts: row.counts,
  bytes: row.bytes,
  pages: row.pages,
  changed: row.changed,
  change: row.change,
  error:
    row.failureClass === null
      ? null
      : { class: row.failureClass as ObservationFailure, message: row.failureMessage ?? '' },
})

const readJson = async (from: Stored, tenantId: string, digest: string): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode(await readContent(from, tenantId, digest)))

/** What the current declaration of an endpoint says; null without one. */
export async function declaredOf(
  from: Stored,
  { tenantId, manifestId }: Pick<EndpointRow, 'tenantId' | 'manifestId'>,
): Promise<DeclaredServer | null> {
  if (manifestId === null) return null
  const [row] = await from.read
    .select({ digest: mcpManifests.digest })
    .from(mcpManifests)
    .where(inTenant(mcpManifests, tenantId, eq(mcpManifests.id, manifestId)))
  return row === undefined ? null : ((await readJson(from, tenantId, row.digest)) as DeclaredServer)
}

/** What was observed, by the digest that a row keeps. */
export const observedOf = async (from: Stored, tenantId: string, digest: string): Promise<ObservedSurface> =>
  (await readJson(from, tenantId, digest)) as ObservedSurface
