import { and, asc, eq, inArray, notExists, sql, type SQL } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Database, Reader, Transaction } from '../../db/database.ts'
import { forgetUnusedVectors, indexTypes, type VectorSpace } from '../../db/search/vectors.ts'
import { embeddingTypes, primitives } from '../../db/tables.gen.ts'
import type { Json } from '../../src/kernel/json.ts'
import { describeType } from '../../src/types/describe.ts'
import type { Deps, Embedder } from '../kit/door.ts'
import { defineJob, type JobHandler } from '../jobs/door.ts'
import { digestOfText, embedTexts, mostCharacters, unusedForMs } from './texts.ts'

/** The jobs that embed what changed of the types of a tenant. */
const embedTypesJob = defineJob<{ readonly model: string }, { readonly types: number; readonly embedded: number }>(
  'embed-types',
)

const typesAtOnce = 500

/** Types whose present text is not indexed for a model. */
export function unindexedTypes(read: Reader, model: string): SQL {
  const entries = read
    .select({ one: sql`1` })
    .from(embeddingTypes)
    .where(
      and(
        eq(embeddingTypes.primitiveId, primitives.id),
        eq(embeddingTypes.model, model),
        eq(embeddingTypes.changedAt, primitives.updatedAt),
      ),
    )
  return notExists(entries)
}

/**
 * Queues the embedding of the types of a tenant, within the transaction that changes them. One that waits already will see this
 * change too.
 */
export async function queueTypes(tx: Transaction, tenantId: string, model: string, now: number): Promise<void> {
  const open = await embedTypesJob.unfinished(tx)
  const isWaiting = open.some((it) => it.tenantId === tenantId && it.status === 'queued' && it.payload.model === model)
  if (!isWaiting) await embedTypesJob.enqueue(tx, { tenantId, payload: { model }, now })
}

/** Follows a change of types where embeddings are configured. */
export async function followTypes(
  { embedder, clock, wake }: Pick<Deps, 'embedder' | 'clock' | 'wake'>,
  tx: Transaction,
  tenantId: string,
): Promise<void> {
  if (embedder === null) return
  await queueTypes(tx, tenantId, embedder.model, clock.now())
  tx.afterCommit(wake)
}

/** Queues the types that were registered before a provider, or this model, was configured. */
export async function queueTypesBacklog(db: Database, model: string, now: number): Promise<number> {
  return db.inTransaction(async (tx) => {
    await tx.lock('embedding-backlog')
    const rows = await tx
      .selectDistinct({ tenantId: primitives.tenantId })
      .from(primitives)
      .where(unindexedTypes(tx, model))
    for (const { tenantId } of rows) await queueTypes(tx, tenantId, model, now)
    return rows.length
  })
}

/** Runs the jobs: some types after others, until the text of each is indexed. What was indexed stays when a later part fails. */
export const embedTypesHandler = ({ db, clock }: Deps, embedder: Embedder): JobHandler =>
  embedTypesJob.handle(async ({ job, signal, progress }) => {
    const { model } = job.payload
    // Queued for a model that no one asks any more.
    if (model !== embedder.model) return () => Promise.resolve({ status: 'completed' })
    const space: VectorSpace = { tenantId: job.tenantId, model }
    let types = 0
    let embedded = 0
    for (;;) {
      const rows = await db.read
        .select()
        .from(primitives)
        .where(inTenant(primitives, job.tenantId, unindexedTypes(db.read, model)))
        .orderBy(asc(primitives.id))
        .limit(typesAtOnce)
      if (rows.length === 0) break
      const entries = rows.map((row) => {
        const text = describeType({ ...row, schema: JSON.parse(row.schema) as Json }, mostCharacters)
        return { primitiveId: row.id, changedAt: row.updatedAt, text, digest: digestOfText(text) }
      })
      embedded += await embedTexts(
        {
          db,
          space,
          embedder,
          signal,
          at: () => clock.iso(),
          progress: (done, total) => progress({ phase: 'embedding', done, total }),
        },
        new Map(entries.map(({ digest, text }) => [digest, text])),
      )
      await db.inTransaction(async (tx) => {
        const kept = await stillThere(tx, job.tenantId, entries)
        await indexTypes(tx, space, kept)
      })
      types += rows.length
    }
    return async (tx) => {
      await forgetUnusedVectors(tx, space.tenantId, clock.iso(-unusedForMs))
      return { status: 'completed', result: { types, embedded } }
    }
  })

interface Entry {
  readonly primitiveId: string
  readonly changedAt: string
  readonly digest: string
}

/** Those whose types were not deleted meanwhile. */
async function stillThere(tx: Transaction, tenantId: string, entries: readonly Entry[]): Promise<Entry[]> {
  const ids = entries.map(({ primitiveId }) => primitiveId)
  const rows = await tx
    .select({ id: primitives.id })
    .from(primitives)
    .where(inTenant(primitives, tenantId, inArray(primitives.id, ids)))
  const there = new Set(rows.map(({ id }) => id))
  return entries
    .filter(({ primitiveId }) => there.has(primitiveId))
    .map(({ primitiveId, changedAt, digest }) => ({ primitiveId, changedAt, digest }))
}
