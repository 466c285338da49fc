import { eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { mcpEndpoints, mcpObservations } from '../../db/tables.gen.ts'
import type { ObservedSurface, SurfaceComparison } from '../../src/mcp-catalogue/types.ts'
import type { Deps } from '../kit/door.ts'
import { assertStorageRoom } from '../license/door.ts'
import { recordEvent } from '../outbox/door.ts'
import { prepareContent, type PreparedContent, storeContent } from '../../db/content.ts'
import type { ObservationFailed } from './observation/failure.ts'
import {
  findEndpoint,
  isObservable,
  noCounts,
  observedOf,
  toolNamesOf,
  type EndpointRow,
  type ObservationRow,
} from './record.ts'
import { derived } from './settle.ts'
import { nextObservation } from './when.ts'

/** Who observed a server, and how much it took. */
export interface ObservedBy {
  readonly by: ObservationRow['by']
  readonly actor: string | null
  readonly protocolVersion: string | null
  readonly bytes: number
  readonly pages: number
}

/** How often it is compared again, because another observation came between. */
const attempts = 3

const dueOf = (row: EndpointRow, now: number): string | null =>
  isObservable(row) ? isoOf(nextObservation(row, now)) : null

async function write(tx: Transaction, row: EndpointRow, observation: ObservationRow): Promise<void> {
  const { id, tenantId, ...set } = row
  await tx
    .update(mcpEndpoints)
    .set(set)
    .where(inTenant(mcpEndpoints, tenantId, eq(mcpEndpoints.id, id)))
  await tx.insert(mcpObservations).values(observation)
}

const summaryOf = (comparison: SurfaceComparison): NonNullable<ObservationRow['change']> => ({
  severity: comparison.severity,
  counts: { ...comparison.counts },
})

/**
 * Writes what was observed of a server; where it is another surface than before, the event of it in the same transaction.
 * @throws SvcError `mcp-endpoint-not-found`, `quota-exceeded`, `analysis-stopped`
 */
export async function recordObserved(
  deps: Deps,
  { tenantId, id }: Pick<EndpointRow, 'tenantId' | 'id'>,
  seen: ObservedSurface,
  by: ObservedBy,
): Promise<{ readonly row: EndpointRow; readonly observation: ObservationRow }> {
  const content = await prepareContent(deps.db, tenantId, new TextEncoder().encode(JSON.stringify(seen)))
  for (let n = 0; ; n++) {
    const before = await findEndpoint(deps.db.read, tenantId, id)
    const isOther = before.observedFingerprint !== seen.fingerprint.wire
    const change =
      isOther && before.observedDigest !== null
        ? summaryOf(
            await deps.analysis.run(tenantId, 'mcp-comparison', {
              before: (await observedOf(deps.db, tenantId, before.observedDigest)).surface,
              after: seen.surface,
            }),
          )
        : null
    const written = await deps.db.inTransaction(async (tx) => {
      await tx.lock(`mcp-server ${id}`)
      const row = await findEndpoint(tx, tenantId, id)
      if (row.observedFingerprint !== before.observedFingerprint && n < attempts) return null
      return writeObserved(deps, tx, row, { seen, content }, by, change)
    })
    if (written !== null) return written
  }
}

async function writeObserved(
  deps: Deps,
  tx: Transaction,
  row: EndpointRow,
  { seen, content }: { readonly seen: ObservedSurface; readonly content: PreparedContent },
  { by, actor, protocolVersion, bytes, pages }: ObservedBy,
  change: ObservationRow['change'],
) {
  const { tenantId, id } = row
  const now = deps.clock.now()
  const at = isoOf(now)
  const { wire, semantic } = seen.fingerprint
  if (row.observedFingerprint !== wire) await assertStorageRoom(tx, deps.plans, tenantId, content.sizeBytes)
  const digest = await storeContent(tx, content, at)
  const changed = row.observedFingerprint !== null && row.observedFingerprint !== wire
  const version = protocolVersion ?? seen.protocolVersion
  const next: EndpointRow = {
    ...row,
    title: row.title ?? seen.identity.title,
    observedFingerprint: wire,
    observedDigest: digest,
    observedCounts: seen.counts,
    observedAt: at,
    observedBy: by,
    protocolVersion: version,
    toolNames: toolNamesOf(seen.surface),
    failureClass: null,
    failureMessage: null,
    failedAt: null,
    failures: 0,
    updatedAt: changed ? at : row.updatedAt,
  }
  const settled = { ...next, ...derived(next) }
  const final = { ...settled, dueAt: by === 'service' || row.dueAt === null ? dueOf(settled, now) : row.dueAt }
  const observation: ObservationRow = {
    id: newId(),
    tenantId,
    endpointId: id,
    by,
    at,
    protocolVersion: version,
    wire,
    semantic,
    digest,
    counts: seen.counts,
    bytes,
    pages,
    changed,
    change: changed ? change : null,
    failureClass: null,
    failureMessage: null,
    actor,
  }
  await write(tx, final, observation)
  if (changed)
    await recordEvent(deps, tx, {
      tenantId,
      type: 'mcp.surface_changed',
      subjectId: id,
      payload: {
        endpoint_id: id,
        name: row.name,
        address: row.address,
        observed_by: by,
        from_fingerprint: row.observedFingerprint ?? '',
        to_fingerprint: wire,
        approved_fingerprint: row.approvedFingerprint,
        max_severity: change?.severity ?? null,
        state: final.state,
        by: actor,
      },
      at,
    })
  return { row: final, observation }
}

/** Writes that a server could not be observed. What was observed before is kept. */
export async function recordFailure(
  deps: Deps,
  { tenantId, id }: Pick<EndpointRow, 'tenantId' | 'id'>,
  failure: ObservationFailed,
): Promise<EndpointRow> {
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`mcp-server ${id}`)
    const row = await findEndpoint(tx, tenantId, id)
    const now = deps.clock.now()
    const at = isoOf(now)
    const message = failure.message.slice(0, 1000)
    const next: EndpointRow = {
      ...row,
      failureClass: failure.kind,
      failureMessage: message,
      failedAt: at,
      failures: row.failures + 1,
    }
    const settled = { ...next, ...derived(next) }
    const final = { ...settled, dueAt: dueOf(settled, now) }
    await write(tx, final, {
      id: newId(),
      tenantId,
      endpointId: id,
      by: 'service',
      at,
      protocolVersion: null,
      wire: null,
      semantic: null,
      digest: null,
      counts: noCounts,
      bytes: 0,
      pages: 0,
      changed: false,
      change: null,
      failureClass: failure.kind,
      failureMessage: message,
      actor: null,
    })
    return final
  })
}
