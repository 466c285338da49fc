import { eq, max } from 'drizzle-orm'
import { sizeOf, type Resolution } from '../../src/contracts/contract.ts'
import type { Selection } from '../../src/contracts/selection.ts'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { consumers, contractRevisions } from '../../db/tables.gen.ts'
import type { Subject } from '../analysis/door.ts'
import { actorOf, type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { recordEvent } from '../outbox/door.ts'
import { findVersion, type ProjectRow, type VersionRow } from '../records/door.ts'
import { typedSubject } from '../used-types/door.ts'
import { toConsumerRecord, toContractRecord, type ConsumerRow, type RevisionRow } from './record.ts'
import { findConsumer, handleOf, insertConsumer, type FoundConsumer } from './service.ts'
import { earlierVersions } from './specifications.ts'

/** A resolved declaration, ready to be written. */
interface Declaration {
  readonly source: 'selection' | 'pact'
  readonly origin: Readonly<Record<string, unknown>>
  readonly version: VersionRow
  readonly resolution: Resolution
}

// Only these can mean that something is gone; the others are as they are, whatever was published before.
const maybeGone = new Set(['operation-not-found', 'method-not-found', 'field-not-found'])

// What was published before is looked at only where something may be gone.
async function resolveAgainst<T>(
  deps: Deps,
  version: VersionRow,
  resolve: (subjects: readonly Subject[]) => Promise<T>,
  resolutionOf: (resolved: T) => Resolution,
): Promise<T> {
  const { read } = deps.db
  const now = await typedSubject(deps, read, version)
  const first = await resolve([now])
  if (!resolutionOf(first).unresolved.some((it) => maybeGone.has(it.reason))) return first
  const rows = await earlierVersions(read, version)
  const earlier = await Promise.all(rows.map((row) => typedSubject(deps, read, row)))
  return earlier.length === 0 ? first : resolve([now, ...earlier])
}

/**
 * Adds a revision. The caller holds the consumer's lock.
 * @throws SvcError `consumer-retired`
 */
async function writeRevision(
  deps: Deps,
  tx: Transaction,
  { project, consumer }: { readonly project: ProjectRow; readonly consumer: ConsumerRow },
  { source, origin, version, resolution }: Declaration,
  by: { readonly grant: Grant; readonly at: string },
): Promise<{ consumer: ConsumerRow; revision: RevisionRow }> {
  const own = inTenant(contractRevisions, consumer.tenantId, eq(contractRevisions.consumerId, consumer.id))
  const [last] = await tx
    .select({ n: max(contractRevisions.revision) })
    .from(contractRevisions)
    .where(own)
  const size = sizeOf(resolution.contract)
  const [revision] = await tx
    .insert(contractRevisions)
    .values({
      id: newId(),
      tenantId: consumer.tenantId,
      consumerId: consumer.id,
      revision: (last?.n ?? 0) + 1,
      source,
      origin,
      versionId: version.id,
      versionLabel: version.label,
      versionDigest: version.digest,
      contract: resolution.contract,
      unresolved: resolution.unresolved,
      warnings: resolution.warnings,
      operationsCount: size.operations,
      fieldsCount: size.fields,
      parametersCount: size.parameters,
      createdBy: actorOf(by.grant),
      createdAt: by.at,
    })
    .returning()
  if (!revision) throw new Error(`the contract of ${consumer.handle} was not written`)
  const [row] = await tx
    .update(consumers)
    .set({ revisionId: revision.id, updatedAt: by.at })
    .where(inTenant(consumers, consumer.tenantId, eq(consumers.id, consumer.id)))
    .returning()
  await recordEvent(deps, tx, {
    tenantId: consumer.tenantId,
    type: 'contract.revised',
    subjectId: revision.id,
    payload: {
      project_id: project.id,
      project_slug: project.slug,
      consumer_id: consumer.id,
      consumer_handle: consumer.handle,
      revision: revision.revision,
      version_label: version.label,
      unresolved: resolution.unresolved.length,
    },
    at: by.at,
  })
  return { consumer: row ?? consumer, revision }
}

/**
 * Locks a consumer for a new revision and reads it again.
 * @throws SvcError `consumer-retired`
 */
async function lockConsumer(tx: Transaction, { project, consumer }: FoundConsumer): Promise<ConsumerRow> {
  await tx.lock(`consumer ${consumer.id}`)
  const now = await findConsumer(tx, consumer.tenantId, project.id, consumer.id)
  if (now.consumer.retiredAt !== null) throw new SvcError('consumer-retired', { consumer: consumer.handle })
  return now.consumer
}

const answerOf = ({ consumer, revision }: { consumer: ConsumerRow; revision: RevisionRow }) => {
  const contract = toContractRecord(revision)
  const { unresolved, warnings } = contract
  return { consumer: toConsumerRecord(consumer), contract, unresolved, warnings }
}

/**
 * Declares what a consumer uses, as a new revision.
 * @throws SvcError `project-not-found`, `consumer-not-found`, `version-not-found`, `consumer-retired`
 */
export async function declareContract(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly consumer: string; readonly version: string },
  selection: Selection,
) {
  const tenantId = tenantOf(grant).id
  const found = await findConsumer(deps.db.read, tenantId, refs.project, refs.consumer)
  if (found.consumer.retiredAt !== null) throw new SvcError('consumer-retired', { consumer: found.consumer.handle })
  const { version } = await findVersion(deps.db.read, tenantId, found.project.id, refs.version)
  const resolution = await resolveAgainst(
    deps,
    version,
    (subjects) => deps.analysis.run(tenantId, 'selection', selection, subjects),
    (it) => it,
  )
  return deps.db.inTransaction(async (tx) => {
    const consumer = await lockConsumer(tx, found)
    const declaration: Declaration = { source: 'selection', origin: {}, version, resolution }
    return answerOf(
      await writeRevision(deps, tx, { project: found.project, consumer }, declaration, { grant, at: deps.clock.iso() }),
    )
  })
}

/**
 * Declares what a consumer uses by its contract-test document; registers the consumer where there is none. Raises
 * `project-not-found`, `version-not-found`, `pact-invalid`, `consumer-handle-invalid`, `consumer-retired`.
 */
export async function importPact(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string; readonly handle: string | null },
  given: string | Readonly<Record<string, unknown>>,
) {
  const tenantId = tenantOf(grant).id
  const { project, version } = await findVersion(deps.db.read, tenantId, refs.project, refs.version)
  const pact = typeof given === 'string' ? given : JSON.stringify(given)
  const input = { pact, isNamed: refs.handle !== null }
  const { resolution, ...origin } = await resolveAgainst(
    deps,
    version,
    (subjects) => deps.analysis.run(tenantId, 'pact', input, subjects),
    (it) => it.resolution,
  )
  const handle = refs.handle ?? handleOf(origin.consumer ?? '')
  return deps.db.inTransaction(async (tx) => {
    const at = deps.clock.iso()
    // Two imports for a consumer that is not there yet: one registers it, the other finds it.
    await tx.lock(`consumers ${project.id}`)
    const known = await findConsumer(tx, tenantId, project.id, handle).catch((error: unknown) => {
      if (error instanceof SvcError && error.code === 'consumer-not-found') return null
      throw error
    })
    const consumer = known
      ? await lockConsumer(tx, known)
      : await insertConsumer(tx, project, { name: origin.consumer ?? handle, handle }, { grant, at })
    const declaration: Declaration = { source: 'pact', origin, version, resolution }
    return answerOf(await writeRevision(deps, tx, { project, consumer }, declaration, { grant, at }))
  })
}
