import { eq, ne } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { mcpEndpoints, mcpObservations } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import type { Surface, SurfaceChange, SurfaceComparison } from '../../src/mcp-catalogue/types.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { declaredOf, findEndpoint, observedOf, type EndpointRow } from './record.ts'

interface Found {
  readonly fingerprint: string
  readonly surface: Surface
}

async function declaredSurface(deps: Deps, row: EndpointRow): Promise<Found | null> {
  const declared = await declaredOf(deps.db, row)
  if (declared === null || declared.surface === null || declared.fingerprint === null) return null
  return { fingerprint: declared.fingerprint.wire, surface: declared.surface }
}

async function storedSurface(deps: Deps, tenantId: string, digest: string | null): Promise<Found | null> {
  if (digest === null) return null
  const { fingerprint, surface } = await observedOf(deps.db, tenantId, digest)
  return { fingerprint: fingerprint.wire, surface }
}

/** A surface of an endpoint by its fingerprint: declared, approved, or of an observation. */
async function byFingerprint(deps: Deps, row: EndpointRow, fingerprint: string): Promise<Found | null> {
  if (fingerprint === row.declaredFingerprint) return declaredSurface(deps, row)
  const { read } = deps.db
  const own = inTenant(
    mcpObservations,
    row.tenantId,
    eq(mcpObservations.endpointId, row.id),
    eq(mcpObservations.wire, fingerprint),
  )
  const [seen] = await read.select({ digest: mcpObservations.digest }).from(mcpObservations).where(own).limit(1)
  if (seen !== undefined) return storedSurface(deps, row.tenantId, seen.digest)
  // Its observation may be too old to be kept.
  return fingerprint === row.approvedFingerprint ? storedSurface(deps, row.tenantId, row.approvedDigest) : null
}

/** The surface of a name, else of a fingerprint; null where there is none. */
function surfaceNamed(deps: Deps, row: EndpointRow, at: string): Promise<Found | null> {
  if (at === 'declared') return declaredSurface(deps, row)
  if (at === 'observed') return storedSurface(deps, row.tenantId, row.observedDigest)
  if (at === 'approved') return storedSurface(deps, row.tenantId, row.approvedDigest)
  return byFingerprint(deps, row, at)
}

/** @throws SvcError `mcp-surface-not-found` */
async function surfaceAt(deps: Deps, row: EndpointRow, at: string): Promise<Found> {
  const found = await surfaceNamed(deps, row, at)
  if (found === null) throw new SvcError('mcp-surface-not-found', { name: row.name, surface: at.slice(0, 100) })
  return found
}

/** What is checked of a server: what was observed, else what is declared. @throws SvcError `mcp-surface-not-found` */
export const surfaceToCheck = (deps: Deps, row: EndpointRow): Promise<Found> =>
  surfaceAt(deps, row, row.observedDigest === null ? 'declared' : 'observed')

/** What of a server matters beside its surface: what was approved, and the tools of the other servers of the organization. */
export async function knownBeside(deps: Deps, row: EndpointRow) {
  const { read } = deps.db
  const approved = (await storedSurface(deps, row.tenantId, row.approvedDigest))?.surface ?? null
  const others = await read
    .select({ name: mcpEndpoints.name, toolNames: mcpEndpoints.toolNames })
    .from(mcpEndpoints)
    .where(inTenant(mcpEndpoints, row.tenantId, ne(mcpEndpoints.id, row.id)))
  const servers = new Map<string, string[]>()
  for (const { name, toolNames } of others) servers.set(name, [...(servers.get(name) ?? []), ...toolNames])
  return { approved, servers: Object.fromEntries(servers) }
}

/**
 * What a server offers, as it sent it.
 * @param at "approved", "observed", "declared" or a fingerprint
 * @throws SvcError `mcp-endpoint-not-found`, `mcp-surface-not-found`
 */
export async function showSurface(deps: Deps, grant: Grant, id: string, at = 'observed') {
  const row = await findEndpoint(deps.db.read, tenantOf(grant).id, id)
  const { fingerprint, surface } = await surfaceAt(deps, row, at)
  const { tools, resources, resourceTemplates, prompts } = surface
  return {
    endpoint_id: id,
    fingerprint,
    tools: [...tools],
    resources: [...resources],
    resourceTemplates: [...resourceTemplates],
    prompts: [...prompts],
  }
}

/** A change as callers see it. */
export const toChange = (change: SurfaceChange) => ({
  id: change.id,
  severity: change.severity,
  classification: change.classification,
  message: change.message,
  base_pointer: change.basePointer,
  head_pointer: change.headPointer,
  before: change.before,
  after: change.after,
  witness: change.witness,
})

/** A comparison of surfaces as callers see it. */
export const shownComparison = (comparison: SurfaceComparison) => ({
  is_same: comparison.isSame,
  is_same_meaning: comparison.isSameMeaning,
  severity: comparison.severity,
  counts: { ...comparison.counts },
  items: comparison.items.map((item) => ({
    kind: item.kind,
    key: item.key,
    action: item.action,
    severity: item.severity,
    change_count: item.changeCount,
    changes: item.changes.map(toChange),
    texts: item.texts.map(({ pointer, parts, hidden }) => ({ pointer, parts: [...parts], hidden: [...hidden] })),
  })),
  more: comparison.more,
})

/**
 * Compares two surfaces of a server.
 * @param asked from: "approved" when omitted, else "declared"; to: "observed" when omitted
 * @throws SvcError `mcp-endpoint-not-found`, `mcp-surface-not-found`, `analysis-stopped`
 */
export async function showDiff(
  deps: Deps,
  grant: Grant,
  id: string,
  asked: { readonly from?: string; readonly to?: string },
) {
  const row = await findEndpoint(deps.db.read, tenantOf(grant).id, id)
  const from = await surfaceAt(deps, row, asked.from ?? (row.approvedDigest === null ? 'declared' : 'approved'))
  const to = await surfaceAt(deps, row, asked.to ?? 'observed')
  const input = { before: from.surface, after: to.surface }
  const comparison = await deps.analysis.run(row.tenantId, 'mcp-comparison', input)
  return { endpoint_id: id, from: from.fingerprint, to: to.fingerprint, ...shownComparison(comparison) }
}

/**
 * Decides for each tool of a server whether what it answers is what another one takes.
 * @param at the surface; "observed" when omitted, else "declared"
 * @throws SvcError `mcp-endpoint-not-found`, `mcp-surface-not-found`, `analysis-stopped`
 */
export async function showChains(deps: Deps, grant: Grant, id: string, at?: string) {
  const row = await findEndpoint(deps.db.read, tenantOf(grant).id, id)
  const { fingerprint, surface } = await (at === undefined ? surfaceToCheck(deps, row) : surfaceAt(deps, row, at))
  const matrix = await deps.analysis.run(row.tenantId, 'mcp-chains', { tools: surface.tools })
  const { from, to, pairs, silent, omitted, more } = matrix
  return {
    endpoint_id: id,
    fingerprint,
    from: [...from],
    to: [...to],
    pairs: [...pairs],
    silent: [...silent],
    omitted: [...omitted],
    more,
  }
}
