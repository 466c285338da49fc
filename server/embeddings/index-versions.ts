import { and, asc, eq, gt, inArray, notExists, sql, type SQL } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Database, Reader, Transaction } from '../../db/database.ts'
import { forgetUnusedVectors, indexVectors, type VectorSpace } from '../../db/search/vectors.ts'
import { embeddingEntries, operations, versions } from '../../db/tables.gen.ts'
import type { AnalysisService } from '../analysis/door.ts'
import type { Deps, Embedder } from '../kit/door.ts'
import { defineJob, type JobHandler } from '../jobs/door.ts'
import type { VersionRow } from '../records/door.ts'
import { digestOfText, embedTexts, mostCharacters, unusedForMs } from './texts.ts'

/** The jobs that embed a version. */
const embedJob = defineJob<
  { readonly versionId: string; readonly model: string },
  { readonly operations: number; readonly embedded: number }
>('embed')

/** Queues the embedding of a version, within the transaction that publishes it. */
export async function queueEmbedding(
  tx: Transaction,
  version: { readonly id: string; readonly tenantId: string },
  model: string,
  now: number,
): Promise<void> {
  const payload = { versionId: version.id, model }
  await embedJob.enqueue(tx, { tenantId: version.tenantId, payload, now })
}

/** Published versions with operations of which nothing is indexed for a model. */
export function unindexed(read: Reader, model: string): SQL | undefined {
  const entries = read
    .select({ one: sql`1` })
    .from(embeddingEntries)
    .where(and(eq(embeddingEntries.versionId, versions.id), eq(embeddingEntries.model, model)))
  return and(inArray(versions.status, ['published', 'deprecated']), gt(versions.operationsCount, 0), notExists(entries))
}

/**
 * Queues what was published before a provider, or this model, was configured. Any number of processes may do it: what is
 * queued already is not queued again.
 */
export async function queueBacklog(db: Database, model: string, now: number): Promise<number> {
  return db.inTransaction(async (tx) => {
    await tx.lock('embedding-backlog')
    const queued = new Set((await embedJob.unfinished(tx)).map(({ payload }) => payload.versionId))
    const rows = await tx
      .select({ id: versions.id, tenantId: versions.tenantId })
      .from(versions)
      .where(unindexed(tx, model))
      .orderBy(asc(versions.publishedAt))
    const missing = rows.filter(({ id }) => !queued.has(id))
    for (const version of missing) await queueEmbedding(tx, version, model, now)
    return missing.length
  })
}

interface Entry {
  readonly ordinal: number
  readonly ref: string
  readonly digest: string
  readonly text: string
}

async function entriesOf(read: Reader, analysis: AnalysisService, version: VersionRow): Promise<Entry[]> {
  const rows = await read
    .select()
    .from(operations)
    .where(inTenant(operations, version.tenantId, eq(operations.versionId, version.id)))
    .orderBy(asc(operations.ordinal))
  const asked = rows.map(({ ref, operationId, summary, tags, pointer }) => ({
    ref,
    operationId,
    summary,
    tags,
    pointer,
  }))
  const input = { operations: asked, mostCharacters }
  const texts = await analysis.run(version.tenantId, 'words', input, [analysis.subjectOf(version)])
  return rows.map(({ ordinal, ref }, at) => {
    const text = texts[at] ?? ''
    return { ordinal, ref, text, digest: digestOfText(text) }
  })
}

/**
 * Runs the jobs: texts without a vector are embedded and stored batch by batch, so that what was paid for is kept when a
 * later batch fails; then one transaction says which text each operation has.
 */
export const embedHandler = ({ db, clock, analysis }: Deps, embedder: Embedder): JobHandler =>
  embedJob.handle(async ({ job, signal, progress }) => {
    const { versionId, model } = job.payload
    const [version] = await db.read
      .select()
      .from(versions)
      .where(inTenant(versions, job.tenantId, eq(versions.id, versionId)))
    // Deleted meanwhile, or queued for a model that no one asks any more.
    if (!version || model !== embedder.model) return () => Promise.resolve({ status: 'completed' })
    const space: VectorSpace = { tenantId: job.tenantId, model }
    const entries = await entriesOf(db.read, analysis, version)
    const texts = new Map(entries.map(({ digest, text }) => [digest, text]))
    const embedded = await embedTexts(
      {
        db,
        space,
        embedder,
        signal,
        at: () => clock.iso(),
        progress: (done, total) => progress({ phase: 'embedding', done, total }),
      },
      texts,
    )
    return async (tx) => {
      await indexVectors(tx, space, version.id, entries)
      await forgetUnusedVectors(tx, space.tenantId, clock.iso(-unusedForMs))
      const result = { operations: entries.length, embedded }
      return { status: 'completed', result }
    }
  })
