import { and, asc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { mcpEndpoints, mcpManifests } from '../../db/tables.gen.ts'
import type { McpManifestImportRequest } from '../../src/api/mcp-server-shapes.ts'
import type { StaticOf } from '../../src/api/shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { decideImport } from '../../src/mcp-catalogue/import.ts'
import {
  transports,
  type DeclaredServer,
  type ImportDecision,
  type KnownEndpoint,
  type Manifest,
  type Transport,
} from '../../src/mcp-catalogue/types.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { assertStorageRoom, type Plans } from '../license/door.ts'
import { schedule, unschedule } from '../schedule/door.ts'
import { prepareContent, type PreparedContent, storeContent } from '../../db/content.ts'
import {
  isObservable,
  noCounts,
  toEndpoint,
  toManifest,
  toolNamesOf,
  type EndpointRow,
  type ManifestRow,
} from './record.ts'
import { derived, settle } from './settle.ts'

type Request = StaticOf<typeof McpManifestImportRequest>

/** Servers of one organization. */
export const mostEndpoints = 5000

/** How long after an import a server is observed for the first time: the transaction and its caller come first. */
const firstObservationMs = 2000

const isTransport = (text: string): text is Transport => (transports as readonly string[]).includes(text)

/** @throws SvcError `manifest-invalid`, `manifest-no-transport`, `transport-unknown`, `endpoint-address-invalid`, `analysis-stopped` */
function readRequest(deps: Deps, tenantId: string, request: Request): Promise<Manifest> {
  const { transport = null, endpoint_url: endpointUrl = null, tools = null } = request
  if (transport !== null && !isTransport(transport))
    throw new SvcError('transport-unknown', {
      transport: transport.slice(0, 100),
      pointer: '',
      line: null,
      column: null,
    })
  return deps.analysis.run(tenantId, 'mcp-manifest', {
    text: request.manifest,
    options: { endpointUrl, transport, tools },
  })
}

/** The endpoints that an import may be of, oldest first. */
async function knownEndpoints(reader: Reader, tenantId: string): Promise<KnownEndpoint[]> {
  const rows = await reader
    .select({
      id: mcpEndpoints.id,
      address: mcpEndpoints.address,
      keys: mcpEndpoints.keys,
      declared: mcpEndpoints.declaredFingerprint,
      observed: mcpEndpoints.observedFingerprint,
      manifestId: mcpEndpoints.manifestId,
    })
    .from(mcpEndpoints)
    .where(inTenant(mcpEndpoints, tenantId))
    .orderBy(asc(mcpEndpoints.createdAt), asc(mcpEndpoints.id))
  return rows.map(({ manifestId, ...row }) => ({ ...row, declarations: manifestId === null ? 0 : 1 }))
}

/** The same after a server was imported: a manifest may declare a server twice. */
function knownAfter(known: readonly KnownEndpoint[], row: EndpointRow): KnownEndpoint[] {
  const { id, address, keys, declaredFingerprint: declared, observedFingerprint: observed } = row
  const now = { id, address, keys, declared, observed, declarations: 1 }
  return known.some((one) => one.id === id) ? known.map((one) => (one.id === id ? now : one)) : [...known, now]
}

interface Declaring {
  readonly tenantId: string
  readonly actor: string | null
  readonly at: string
  readonly now: number
  readonly label: string | null
  readonly plans: Plans
}

const newEndpoint = (server: DeclaredServer, { tenantId, actor, at }: Declaring): EndpointRow => ({
  id: newId(),
  tenantId,
  name: server.name.slice(0, 200),
  title: server.identity.title,
  description: server.identity.description,
  address: server.address,
  keys: [...server.keys],
  variables: [...server.variables],
  transport: server.transport,
  addedVia: 'import',
  labels: [],
  headerName: null,
  headerSecretId: null,
  manifestId: null,
  declaredFingerprint: null,
  declaredCounts: noCounts,
  declaredAt: null,
  observedFingerprint: null,
  observedDigest: null,
  observedCounts: noCounts,
  observedAt: null,
  observedBy: null,
  protocolVersion: null,
  toolNames: [],
  approvedFingerprint: null,
  approvedDigest: null,
  approvedBy: null,
  approvedAt: null,
  approvedNote: null,
  approvalId: null,
  conflicts: 0,
  surfaceMatch: 'declared_only',
  state: 'never-observed',
  failureClass: null,
  failureMessage: null,
  failedAt: null,
  failures: 0,
  dueAt: null,
  createdBy: actor,
  createdAt: at,
  updatedAt: at,
})

/** A server whose declaration may be stored. */
interface PreparedServer {
  readonly server: DeclaredServer
  readonly content: PreparedContent
}

/** Writes a declaration, which retires those before it. */
async function declare(
  tx: Transaction,
  { server, content }: PreparedServer,
  endpointId: string,
  by: Declaring,
): Promise<{ readonly manifest: ManifestRow; readonly superseded: number }> {
  const { tenantId, at, actor, label, plans } = by
  const earlier = and(eq(mcpManifests.endpointId, endpointId), eq(mcpManifests.status, 'declared'))
  const retired = await tx
    .update(mcpManifests)
    .set({ status: 'superseded', retiredAt: at })
    .where(inTenant(mcpManifests, tenantId, earlier))
    .returning({ id: mcpManifests.id })
  await assertStorageRoom(tx, plans, tenantId, content.sizeBytes)
  const digest = await storeContent(tx, content, at)
  const manifest: ManifestRow = {
    id: newId(),
    tenantId,
    endpointId,
    format: server.format,
    schemaVersion: server.schemaVersion,
    name: server.name.slice(0, 200),
    version: server.identity.version,
    fingerprint: server.fingerprint?.wire ?? null,
    counts: server.counts,
    sourceLabel: label,
    status: 'declared',
    digest,
    declaredAt: at,
    retiredAt: null,
    declaredBy: actor,
  }
  await tx.insert(mcpManifests).values(manifest)
  return { manifest, superseded: retired.length }
}

interface Done {
  readonly decision: ImportDecision
  readonly row: EndpointRow
  readonly manifest: ManifestRow
  readonly superseded: number
}

async function importServer(
  tx: Transaction,
  known: readonly KnownEndpoint[],
  prepared: PreparedServer,
  by: Declaring,
): Promise<Done> {
  const { server } = prepared
  const { tenantId, at, now } = by
  const decision = decideImport(known, incomingOf(server))
  const own = (id: string) => inTenant(mcpEndpoints, tenantId, eq(mcpEndpoints.id, id))
  let [row] = decision.endpointId === null ? [] : await tx.select().from(mcpEndpoints).where(own(decision.endpointId))
  if (row === undefined) {
    if (known.length >= mostEndpoints) throw new SvcError('mcp-endpoints-exceeded', { limit: mostEndpoints })
    row = newEndpoint(server, by)
    await tx.insert(mcpEndpoints).values(row)
  }
  const { manifest, superseded } = await declare(tx, prepared, row.id, by)
  const changed: EndpointRow = {
    ...row,
    title: row.title ?? server.identity.title,
    description: server.identity.description ?? row.description,
    keys: [...decision.keys],
    address: decision.address,
    // The same address was written with the same variables.
    variables: decision.address === server.address ? [...server.variables] : row.variables,
    transport: decision.address === server.address ? server.transport : row.transport,
    manifestId: manifest.id,
    declaredFingerprint: manifest.fingerprint,
    declaredCounts: manifest.counts,
    declaredAt: at,
    toolNames: row.observedDigest === null ? toolNamesOf(server.surface) : row.toolNames,
    updatedAt: at,
  }
  const dueAt = isObservable(changed) ? now + firstObservationMs : null
  const next = { ...changed, dueAt: dueAt === null ? null : new Date(dueAt).toISOString() }
  const final = { ...next, ...derived(next) }
  const { id, tenantId: _tenant, ...set } = final
  await tx.update(mcpEndpoints).set(set).where(own(id))
  if (dueAt === null) await unschedule(tx, 'mcp.observe', id)
  else await schedule(tx, 'mcp.observe', { subjectId: id, tenantId, at: dueAt })
  return { decision, row: final, manifest, superseded }
}

const incomingOf = ({ address, keys, fingerprint }: DeclaredServer) => ({
  address,
  keys,
  fingerprint: fingerprint?.wire ?? null,
})

const outcomeOf = ({ decision, superseded }: Pick<Done, 'decision' | 'superseded'>) => ({
  endpoint_created: decision.endpointId === null,
  match: decision.match,
  surface_conflict: decision.surfaceConflict,
  observed_fingerprint: decision.observedFingerprint,
  superseded_manifests: superseded,
  reason: decision.reason,
})

const noticesOf = ({ notices }: Manifest) =>
  notices.map(({ code, message, pointer, line, column }) => ({ code, message, pointer, line, column }))

/**
 * Imports the servers of a manifest. A known server gets another declaration, which retires those before it.
 * @throws SvcError `manifest-invalid`, `manifest-no-transport`, `transport-unknown`, `endpoint-address-invalid`,
 *   `mcp-endpoints-exceeded`, `quota-exceeded`, `analysis-stopped`
 */
export async function importManifest(deps: Deps, grant: Grant, request: Request) {
  const { id: tenantId } = tenantOf(grant)
  const manifest = await readRequest(deps, tenantId, request)
  const at = deps.clock.iso()
  const by = {
    tenantId,
    actor: actorOf(grant),
    at,
    now: deps.clock.now(),
    label: request.source_label ?? null,
    plans: deps.plans,
  }
  const prepared: PreparedServer[] = []
  for (const server of manifest.servers) {
    const bytes = new TextEncoder().encode(JSON.stringify(server))
    prepared.push({ server, content: await prepareContent(deps.db, tenantId, bytes) })
  }
  const done = await deps.db.inTransaction(async (tx) => {
    // Two imports of one server at once would both find it unknown.
    await tx.lock(`mcp-servers ${tenantId}`)
    let known = await knownEndpoints(tx, tenantId)
    const all: Done[] = []
    for (const server of prepared) {
      const one = await importServer(tx, known, server, by)
      known = knownAfter(known, one.row)
      all.push(one)
      await recordAudit(tx, {
        tenantId,
        actor: grant.principal,
        action: 'mcp-server.imported',
        targetId: one.row.id,
        detail: { name: one.row.name, match: one.decision.match, manifest: one.manifest.id },
        at,
      })
    }
    return all
  })
  const answers = []
  for (const one of done) {
    const row = one.row.observedDigest === null ? one.row : await settle(deps, tenantId, one.row.id)
    answers.push({
      endpoint: toEndpoint(row, deps.clock.now()),
      manifest: toManifest(one.manifest),
      ...outcomeOf(one),
    })
  }
  const [first, ...more] = answers
  if (first === undefined) throw new Error('a manifest without servers was accepted')
  return { success: true, ...first, more, notices: noticesOf(manifest) }
}

/**
 * What an import would do, without writing anything.
 * @throws SvcError `manifest-invalid`, `manifest-no-transport`, `transport-unknown`, `endpoint-address-invalid`, `analysis-stopped`
 */
export async function previewManifest(deps: Deps, grant: Grant, request: Request) {
  const { id: tenantId } = tenantOf(grant)
  const manifest = await readRequest(deps, tenantId, request)
  const known = await knownEndpoints(deps.db.read, tenantId)
  return {
    format: manifest.format,
    schema_version: manifest.schemaVersion,
    servers: manifest.servers.map((server) => {
      const decision = decideImport(known, incomingOf(server))
      return {
        name: server.name,
        transport: server.transport,
        address: server.address,
        fingerprint: server.fingerprint?.wire ?? null,
        counts: server.counts,
        endpoint_id: decision.endpointId,
        ...outcomeOf({ decision, superseded: decision.supersededManifests }),
      }
    }),
    notices: noticesOf(manifest),
  }
}
