import { desc, eq, inArray, isNull, or } from 'drizzle-orm'
import type { ConsumerRecord, ContractRevision } from '../../src/api/consumer-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { slugify } from '../../src/import/slug.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { consumers, contractRevisions } from '../../db/tables.gen.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import { putInBin } from '../bin/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { findProject, type ProjectRow } from '../records/door.ts'
import { toConsumerRecord, toContractRecord, toRevision, type ConsumerRow, type RevisionRow } from './record.ts'

/** A consumer with the project it belongs to. */
export interface FoundConsumer {
  readonly project: ProjectRow
  readonly consumer: ConsumerRow
}

/**
 * Finds a consumer by its id, or by the handle while it has it.
 * @throws SvcError `project-not-found`, `consumer-not-found`
 */
export async function findConsumer(
  read: Reader,
  tenantId: string,
  projectRef: string,
  consumerRef: string,
): Promise<FoundConsumer> {
  const project = await findProject(read, tenantId, projectRef)
  const [consumer] = await read
    .select()
    .from(consumers)
    .where(
      inTenant(
        consumers,
        tenantId,
        eq(consumers.projectId, project.id),
        or(eq(consumers.liveHandle, consumerRef), eq(consumers.id, consumerRef)),
      ),
    )
    .limit(1)
  if (!consumer) throw new SvcError('consumer-not-found', { consumer: consumerRef, project: project.slug })
  return { project, consumer }
}

/**
 * The handle of a name.
 * @throws SvcError `consumer-handle-invalid` where the name has no letter or digit to make one of
 */
export function handleOf(name: string): string {
  const handle = slugify(name)
  // Without a letter `slugify` names a project by a digest, which says nothing of a consumer.
  if (!/[a-z0-9]/i.test(name.normalize('NFKD').replaceAll(/[^\x20-\x7E]/g, '')))
    throw new SvcError('consumer-handle-invalid', { name })
  return handle
}

export interface ConsumerInput {
  readonly name: string
  readonly handle?: string | null
  readonly description?: string | null
  readonly owner?: string | null
  readonly contact?: string | null
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * Writes a consumer.
 * @throws SvcError `consumer-handle-taken`, `consumer-handle-invalid`
 */
export async function insertConsumer(
  tx: Transaction,
  project: ProjectRow,
  input: ConsumerInput,
  by: { readonly grant: Grant; readonly at: string },
): Promise<ConsumerRow> {
  const tenantId = tenantOf(by.grant).id
  const handle = input.handle ?? handleOf(input.name)
  const values = {
    id: newId(),
    tenantId,
    projectId: project.id,
    handle,
    liveHandle: handle,
    name: input.name.trim(),
    description: input.description ?? null,
    owner: input.owner ?? null,
    contact: input.contact ?? null,
    metadata: input.metadata ?? {},
    revisionId: null,
    createdBy: actorOf(by.grant),
    createdAt: by.at,
    updatedAt: by.at,
    retiredAt: null,
  }
  try {
    const [row] = await tx.savepoint((inner) => inner.insert(consumers).values(values).returning())
    if (!row) throw new Error(`the consumer ${handle} was not written`)
    return row
  } catch (error) {
    if (isUniqueViolation(error)) throw new SvcError('consumer-handle-taken', { handle, project: project.slug })
    throw error
  }
}

/**
 * Registers a consumer.
 * @throws SvcError `project-not-found`, `consumer-handle-taken`, `consumer-handle-invalid`
 */
export async function createConsumer(
  deps: Deps,
  grant: Grant,
  projectRef: string,
  input: ConsumerInput,
): Promise<ConsumerRecord> {
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const project = await findProject(tx, tenantOf(grant).id, projectRef)
    return toConsumerRecord(await insertConsumer(tx, project, input, { grant, at }))
  })
}

const headColumns = {
  id: contractRevisions.id,
  tenantId: contractRevisions.tenantId,
  consumerId: contractRevisions.consumerId,
  revision: contractRevisions.revision,
  source: contractRevisions.source,
  origin: contractRevisions.origin,
  versionId: contractRevisions.versionId,
  versionLabel: contractRevisions.versionLabel,
  versionDigest: contractRevisions.versionDigest,
  unresolved: contractRevisions.unresolved,
  operationsCount: contractRevisions.operationsCount,
  fieldsCount: contractRevisions.fieldsCount,
  parametersCount: contractRevisions.parametersCount,
  createdBy: contractRevisions.createdBy,
  createdAt: contractRevisions.createdAt,
}

/**
 * A page of the live consumers of a project, newest first, each with its contract in short.
 * @throws SvcError `project-not-found`
 */
export async function listConsumers(deps: Deps, grant: Grant, projectRef: string, page: StablePage) {
  const tenantId = tenantOf(grant).id
  const { read } = deps.db
  const project = await findProject(read, tenantId, projectRef)
  const where = inTenant(consumers, tenantId, eq(consumers.projectId, project.id), isNull(consumers.retiredAt))
  const { rows, page: counts } = await readStablePage(read, consumers, {
    where,
    order: [consumers.createdAt, consumers.id],
    page,
    added: consumers.createdAt,
    now: deps.clock.iso(),
  })
  const ids = rows.flatMap((row) => row.revisionId ?? [])
  const heads =
    ids.length === 0
      ? []
      : await read
          .select(headColumns)
          .from(contractRevisions)
          .where(inTenant(contractRevisions, tenantId, inArray(contractRevisions.id, ids)))
  const byConsumer = new Map<string, ContractRevision>(heads.map((head) => [head.consumerId, toRevision(head)]))
  return {
    consumers: rows.map((row) => ({ ...toConsumerRecord(row), contract: byConsumer.get(row.id) ?? null })),
    count: rows.length,
    ...counts,
  }
}

/** A revision of a contract, the newest where none is named; null where there is none. */
export async function findRevision(
  read: Reader,
  consumer: ConsumerRow,
  revision: number | null,
): Promise<RevisionRow | null> {
  const wanted =
    revision === null ? eq(contractRevisions.id, consumer.revisionId ?? '') : eq(contractRevisions.revision, revision)
  const [row] = await read
    .select()
    .from(contractRevisions)
    .where(inTenant(contractRevisions, consumer.tenantId, eq(contractRevisions.consumerId, consumer.id), wanted))
    .limit(1)
  return row ?? null
}

/**
 * A consumer with its current contract.
 * @throws SvcError `project-not-found`, `consumer-not-found`
 */
export async function getConsumer(deps: Deps, grant: Grant, projectRef: string, consumerRef: string) {
  const { read } = deps.db
  const { consumer } = await findConsumer(read, tenantOf(grant).id, projectRef, consumerRef)
  const revision = await findRevision(read, consumer, null)
  return {
    consumer: toConsumerRecord(consumer),
    contract: revision === null ? null : toContractRecord(revision),
    revisions_count: await countRevisions(read, consumer),
  }
}

async function countRevisions(read: Reader, consumer: ConsumerRow): Promise<number> {
  const where = inTenant(contractRevisions, consumer.tenantId, eq(contractRevisions.consumerId, consumer.id))
  return read.$count(contractRevisions, where)
}

/**
 * A revision of a contract.
 * @throws SvcError `project-not-found`, `consumer-not-found`, `contract-not-found`
 */
export async function getContract(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly consumer: string; readonly revision: number | null },
) {
  const { read } = deps.db
  const { consumer } = await findConsumer(read, tenantOf(grant).id, refs.project, refs.consumer)
  const row = await findRevision(read, consumer, refs.revision)
  if (!row) throw new SvcError('contract-not-found', { consumer: consumer.handle, revision: refs.revision })
  return toContractRecord(row)
}

/**
 * The revisions of a contract in short, newest first.
 * @throws SvcError `project-not-found`, `consumer-not-found`
 */
export async function listRevisions(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly consumer: string },
  limit: number,
) {
  const { read } = deps.db
  const { consumer } = await findConsumer(read, tenantOf(grant).id, refs.project, refs.consumer)
  const rows = await read
    .select(headColumns)
    .from(contractRevisions)
    .where(inTenant(contractRevisions, consumer.tenantId, eq(contractRevisions.consumerId, consumer.id)))
    .orderBy(desc(contractRevisions.revision))
    .limit(limit)
  return { revisions: rows.map(toRevision), count: rows.length, total: await countRevisions(read, consumer) }
}

/**
 * Changes the name and details of a consumer.
 * @throws SvcError `project-not-found`, `consumer-not-found`, `consumer-retired`
 */
export async function updateConsumer(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly consumer: string },
  patch: Partial<Omit<ConsumerInput, 'handle'>>,
): Promise<ConsumerRecord> {
  const tenantId = tenantOf(grant).id
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const { consumer } = await findConsumer(tx, tenantId, refs.project, refs.consumer)
    if (consumer.retiredAt !== null) throw new SvcError('consumer-retired', { consumer: consumer.handle })
    const { name, ...rest } = patch
    const set = { ...rest, ...(name === undefined ? {} : { name: name.trim() }), updatedAt: at }
    const [row] = await tx
      .update(consumers)
      .set(set)
      .where(inTenant(consumers, tenantId, eq(consumers.id, consumer.id), isNull(consumers.retiredAt)))
      .returning()
    if (!row) throw new SvcError('consumer-retired', { consumer: consumer.handle })
    return toConsumerRecord(row)
  })
}

/**
 * Retires a consumer: its handle is free, its revisions stay. It can be taken back from the bin.
 * @throws SvcError `project-not-found`, `consumer-not-found`
 */
export async function retireConsumer(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly consumer: string },
): Promise<void> {
  const tenantId = tenantOf(grant).id
  const at = deps.clock.iso()
  await deps.db.inTransaction(async (tx) => {
    const { consumer, project } = await findConsumer(tx, tenantId, refs.project, refs.consumer)
    await tx.lock(`consumer ${consumer.id}`)
    const [row] = await tx
      .update(consumers)
      .set({ liveHandle: null, retiredAt: at, updatedAt: at })
      .where(inTenant(consumers, tenantId, eq(consumers.id, consumer.id), isNull(consumers.retiredAt)))
      .returning()
    // Retiring twice is retiring once.
    if (!row) return
    const { id, name, handle: ref, updatedAt } = consumer
    await putInBin(deps, grant, tx, { kind: 'consumer', id, name, ref, project, detail: { updatedAt } })
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'consumer.retired',
      targetId: consumer.id,
      detail: { handle: consumer.handle, project: refs.project },
      at,
    })
  })
}
