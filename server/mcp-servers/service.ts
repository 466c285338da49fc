import { and, desc, eq, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { mcpApprovals, mcpEndpoints, mcpManifests, mcpObservations } from '../../db/tables.gen.ts'
import type { McpEndpoint } from '../../src/api/mcp-server-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { decideApproval } from '../../src/mcp-catalogue/state.ts'
import type { Fact } from '../../src/mcp-catalogue/types.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import { putInBin } from '../bin/door.ts'
import { removeFirst, removeInParts } from '../deletion/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { schedule, unschedule } from '../schedule/door.ts'
import { assertNotOwn } from './own-approval.ts'
import { findEndpoint, isObservable, toEndpoint, toManifest, toObservation, type EndpointRow } from './record.ts'
import { recordObserved } from './record-observation.ts'
import { registryEntryOf, registryFactsOf } from './registry-entry.ts'
import { derived, provenanceOf, settle } from './settle.ts'
import { toChange } from './surfaces.ts'

/** What a list of servers asks for. */
export interface EndpointQuery {
  readonly q?: string
  readonly state?: McpEndpoint['state']
  readonly transport?: McpEndpoint['transport']
  readonly approved?: boolean
}

const searched = (q: string | undefined): SQL | undefined =>
  q === undefined || q === ''
    ? undefined
    : or(contains(mcpEndpoints.name, q), contains(mcpEndpoints.title, q), contains(mcpEndpoints.address, q))

/** The servers of the catalogue, newest first. */
export async function listEndpoints(deps: Deps, grant: Grant, query: EndpointQuery, page: StablePage) {
  const { read } = deps.db
  const { approved, state, transport } = query
  const mine = inTenant(
    mcpEndpoints,
    tenantOf(grant).id,
    searched(query.q),
    state === undefined ? undefined : eq(mcpEndpoints.state, state),
    transport === undefined ? undefined : eq(mcpEndpoints.transport, transport),
    approved === true ? isNotNull(mcpEndpoints.approvedFingerprint) : undefined,
    approved === false ? isNull(mcpEndpoints.approvedFingerprint) : undefined,
  )
  const { rows, page: counts } = await readStablePage(read, mcpEndpoints, {
    where: mine,
    order: [mcpEndpoints.createdAt, mcpEndpoints.id],
    page,
    added: mcpEndpoints.createdAt,
    now: deps.clock.iso(),
  })
  const now = deps.clock.now()
  return { endpoints: rows.map((row) => toEndpoint(row, now)), count: rows.length, ...counts }
}

/** @throws SvcError `mcp-endpoint-not-found` */
export const getEndpoint = async (deps: Deps, grant: Grant, id: string): Promise<McpEndpoint> =>
  toEndpoint(await findEndpoint(deps.db.read, tenantOf(grant).id, id), deps.clock.now())

/** What may be changed of a server. */
export interface EndpointUpdate {
  readonly name?: string
  readonly title?: string | null
  readonly labels?: readonly string[]
  readonly header?: { readonly name: string; readonly value: string } | null
}

/** Headers that carry the protocol, or that the client sets. */
const reservedHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|accept.*|mcp-.*|last-event-id|origin|te|upgrade)$/i

/** The header with its value in the vault. @throws SvcError `observe-header-invalid`, `secret-key-missing`, `secret-key-unusable` */
async function headerSet(deps: Deps, tx: Transaction, row: EndpointRow, header: EndpointUpdate['header']) {
  if (header === undefined) return {}
  if (row.headerSecretId !== null) await deps.vault.remove(tx, row.tenantId, row.headerSecretId)
  if (header === null) return { headerName: null, headerSecretId: null }
  if (reservedHeaders.test(header.name))
    throw new SvcError('observe-header-invalid', {
      header: header.name,
      reason: 'the protocol itself uses this header',
    })
  if (!isObservable(row))
    throw new SvcError('observe-header-invalid', {
      header: header.name,
      reason: 'the service does not observe this server over HTTP',
    })
  const { tenantId } = row
  const secret = await deps.vault.seal(tx, { tenantId, purpose: 'mcp-observation', secret: header.value })
  return { headerName: header.name, headerSecretId: secret.id }
}

/**
 * Changes what people say of a server, and the header that observations send; with another header it is observed at once.
 * @throws SvcError `mcp-endpoint-not-found`, `observe-header-invalid`, `secret-key-missing`, `secret-key-unusable`
 */
export async function updateEndpoint(
  deps: Deps,
  grant: Grant,
  id: string,
  update: EndpointUpdate,
): Promise<McpEndpoint> {
  const { id: tenantId } = tenantOf(grant)
  const now = deps.clock.now()
  const at = isoOf(now)
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`mcp-server ${id}`)
    const row = await findEndpoint(tx, tenantId, id)
    const { header, ...texts } = update
    const secret = await headerSet(deps, tx, row, header)
    const isDue = header !== undefined && header !== null
    const [next] = await tx
      .update(mcpEndpoints)
      .set({
        ...(texts.name !== undefined && { name: texts.name }),
        ...(texts.title !== undefined && { title: texts.title }),
        ...(texts.labels !== undefined && { labels: [...new Set(texts.labels)] }),
        ...secret,
        ...(isDue && { dueAt: at }),
        updatedAt: at,
      })
      .where(inTenant(mcpEndpoints, tenantId, eq(mcpEndpoints.id, id)))
      .returning()
    if (isDue) await schedule(tx, 'mcp.observe', { subjectId: id, tenantId, at: now })
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'mcp-server.updated',
      targetId: id,
      detail: { name: row.name, changed: Object.keys(update), ...(header && { header: header.name }) },
      at,
    })
    tx.afterCommit(() => deps.wake())
    return toEndpoint(next ?? row, now)
  })
}

/**
 * Removes a server. It can be restored from the bin, but for the value of its header, which is a credential of another service.
 * @throws SvcError `mcp-endpoint-not-found`
 */
export async function removeEndpoint(deps: Deps, grant: Grant, id: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const row = await findEndpoint(tx, tenantId, id)
    await putInBin(deps, grant, tx, { kind: 'mcp-server', id, name: row.title ?? row.name, ref: row.name })
    await removeFirst(deps, tx, { kind: 'mcp-server', tenantId, id })
    if (row.headerSecretId !== null) await deps.vault.remove(tx, tenantId, row.headerSecretId)
    await unschedule(tx, 'mcp.observe', id)
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'mcp-server.deleted',
      targetId: id,
      detail: { name: row.name, address: row.address },
      at: deps.clock.iso(),
    })
  })
  await removeInParts(deps, id)
}

/** The declarations of a server, newest first. @throws SvcError `mcp-endpoint-not-found` */
export async function listManifests(deps: Deps, grant: Grant, id: string, includeRetired: boolean) {
  const { id: tenantId } = tenantOf(grant)
  await findEndpoint(deps.db.read, tenantId, id)
  const isCurrent = includeRetired ? undefined : eq(mcpManifests.status, 'declared')
  const rows = await deps.db.read
    .select()
    .from(mcpManifests)
    .where(inTenant(mcpManifests, tenantId, and(eq(mcpManifests.endpointId, id), isCurrent)))
    .orderBy(desc(mcpManifests.declaredAt), desc(mcpManifests.id))
  return { success: true, manifests: rows.map(toManifest) }
}

const toFact = (fact: Fact) => ({
  kind: fact.kind,
  key: fact.key,
  origin: fact.origin,
  ...(fact.declared !== undefined && { declared: fact.declared }),
  ...(fact.observed !== undefined && { observed: fact.observed }),
  ...(fact.observedAt !== undefined && { observed_at: fact.observedAt }),
  ...(fact.difference !== undefined && {
    difference: {
      severity: fact.difference.severity,
      changes: fact.difference.changes.map(toChange),
      witness: fact.difference.witness,
    },
  }),
  warnings: [...fact.warnings],
})

/**
 * What is declared and observed of a server, side by side.
 * @throws SvcError `mcp-endpoint-not-found`, `analysis-stopped`
 */
export async function showProvenance(deps: Deps, grant: Grant, id: string) {
  const row = await findEndpoint(deps.db.read, tenantOf(grant).id, id)
  const it = await provenanceOf(deps, row)
  return {
    success: true,
    endpoint_id: id,
    surface_match: it.surfaceMatch,
    declared_fingerprint: it.declaredFingerprint,
    observed_fingerprint: it.observedFingerprint,
    fingerprints_match: it.fingerprintsMatch,
    origin_counts: { ...it.originCounts },
    conflict_count: it.conflictCount,
    facts: it.facts.map(toFact),
  }
}

/** The least pause between two observations that are asked for: no one has the service flood a server. */
const leastPauseMs = 2000

const lastAttempt = ({ observedAt, failedAt }: EndpointRow): number =>
  Math.max(...[observedAt, failedAt].map((at) => (at === null ? 0 : Date.parse(at))))

/**
 * Has a server observed now; a moment later where that was done a moment ago.
 * @throws SvcError `mcp-endpoint-not-found`, `observe-stdio-refused`, `observe-address-unusable`
 */
export async function observeNow(deps: Deps, grant: Grant, id: string) {
  const { id: tenantId } = tenantOf(grant)
  return deps.db.inTransaction(async (tx) => {
    const row = await findEndpoint(tx, tenantId, id)
    if (row.transport === 'stdio' || row.address === null)
      throw new SvcError('observe-stdio-refused', { name: row.name, endpoint: id })
    if (!isObservable(row))
      throw new SvcError('observe-address-unusable', { address: row.address, variables: row.variables })
    const due = Math.max(deps.clock.now(), lastAttempt(row) + leastPauseMs)
    const at = isoOf(due)
    await schedule(tx, 'mcp.observe', { subjectId: id, tenantId, at: due })
    await tx
      .update(mcpEndpoints)
      .set({ dueAt: at })
      .where(inTenant(mcpEndpoints, tenantId, eq(mcpEndpoints.id, id)))
    tx.afterCommit(() => deps.wake())
    return { endpoint_id: id, queued_at: at }
  })
}

/** Of an uploaded surface. */
const mostUploaded = 8 * 1024 * 1024

/**
 * Records what was observed elsewhere.
 * @throws SvcError `mcp-endpoint-not-found`, `manifest-invalid`, `observation-too-large`, `quota-exceeded`, `analysis-stopped`
 */
export async function uploadObservation(
  deps: Deps,
  grant: Grant,
  id: string,
  { surface, by = 'cli' }: { readonly surface: string; readonly by?: 'cli' | 'ci' },
) {
  const { id: tenantId } = tenantOf(grant)
  const { id: endpointId } = await findEndpoint(deps.db.read, tenantId, id)
  const bytes = Buffer.byteLength(surface)
  if (bytes > mostUploaded) throw new SvcError('observation-too-large', { bytes, limit: mostUploaded })
  const seen = await deps.analysis.run(tenantId, 'mcp-surface', { upload: surface })
  const about = { by, actor: actorOf(grant), protocolVersion: seen.protocolVersion, bytes, pages: 1 }
  const { observation } = await recordObserved(deps, { tenantId, id: endpointId }, seen, about)
  const row = await settle(deps, tenantId, id)
  return { observation: toObservation(observation), endpoint: toEndpoint(row, deps.clock.now()) }
}

/** The observations of a server, newest first. @throws SvcError `mcp-endpoint-not-found` */
export async function listObservations(
  deps: Deps,
  grant: Grant,
  id: string,
  query: { readonly changed?: boolean; readonly by?: 'service' | 'cli' | 'ci' },
  page: StablePage,
) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  await findEndpoint(read, tenantId, id)
  const own = inTenant(
    mcpObservations,
    tenantId,
    eq(mcpObservations.endpointId, id),
    query.changed === undefined ? undefined : eq(mcpObservations.changed, query.changed),
    query.by === undefined ? undefined : eq(mcpObservations.by, query.by),
  )
  const { rows, page: counts } = await readStablePage(read, mcpObservations, {
    where: own,
    order: [mcpObservations.at, mcpObservations.id],
    page,
    added: mcpObservations.at,
    now: deps.clock.iso(),
  })
  return { observations: rows.map(toObservation), count: rows.length, ...counts }
}

/**
 * Approves what was observed of a server. The registry says from then on what it is.
 * @throws SvcError `mcp-endpoint-not-found`, `approve-stale`, `approval-self`
 */
export async function approveEndpoint(
  deps: Deps,
  grant: Grant,
  id: string,
  { fingerprint, note = null }: { readonly fingerprint: string; readonly note?: string | null },
): Promise<McpEndpoint> {
  const { id: tenantId, slug } = tenantOf(grant)
  const now = deps.clock.now()
  const at = isoOf(now)
  const before = await findEndpoint(deps.db.read, tenantId, id)
  const facts = await registryFactsOf(deps.db, before)
  const approved = await deps.db.inTransaction(async (tx) => {
    await tx.lock(`mcp-server ${id}`)
    const row = await findEndpoint(tx, tenantId, id)
    if (row.manifestId !== before.manifestId || row.observedDigest !== before.observedDigest) return null
    const { observedFingerprint: observed, approvedFingerprint: approved } = row
    if (decideApproval({ observed, approved }, fingerprint) === 'stale')
      throw new SvcError('approve-stale', { fingerprint, observed, name: row.name })
    await assertNotOwn(tx, grant, row, fingerprint)
    const next: EndpointRow = {
      ...row,
      approvedFingerprint: fingerprint,
      approvedDigest: row.observedDigest,
      approvedBy: actorOf(grant),
      approvedAt: at,
      approvedNote: note,
      approvalId: newId(),
      updatedAt: at,
    }
    const final = { ...next, ...derived(next) }
    const { id: _id, tenantId: _tenantId, ...set } = final
    await tx
      .update(mcpEndpoints)
      .set(set)
      .where(inTenant(mcpEndpoints, tenantId, eq(mcpEndpoints.id, id)))
    const { serverName, version, server } = await registryEntryOf(tx, final, facts, slug)
    await tx.insert(mcpApprovals).values({
      id: final.approvalId ?? newId(),
      tenantId,
      endpointId: id,
      fingerprint,
      note,
      serverName,
      version,
      server,
      approvedBy: final.approvedBy,
      approvedAt: at,
    })
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'mcp-server.approved',
      targetId: id,
      detail: { name: row.name, fingerprint, before: approved, note },
      at,
    })
    return toEndpoint(final, now)
  })
  // It was declared or observed again since its texts were read.
  return approved ?? approveEndpoint(deps, grant, id, { fingerprint, note })
}
