/** Indexes versions that were stored before the index had all that it has now: in the background, newest first, a part at a time. */
import { count, desc, eq, inArray, type SQL } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Database, Reader, Transaction } from '../../db/database.ts'
import { versions } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import type { Analysis } from '../analysis/door.ts'
import type { Deps } from '../kit/door.ts'
import { defineJob, type JobHandler } from '../jobs/door.ts'
import { lintVersion } from '../used-types/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'
import type { VersionRow } from '../records/door.ts'
import { indexGeneration, indexVersion, markIndexed } from '../search-index/door.ts'

const reindexJob = defineJob<object, { readonly indexed: number; readonly failed: number }>('reindex')

/** One job indexes so many; then it is the turn of other organizations, and another job continues. */
const versionsPerJob = 200
/** So many are read between two writes, so that little is done twice after a crash. */
const versionsAtOnce = 5

// Compared as equals, so that both engines take the index of generations.
const olderGenerations = Array.from({ length: indexGeneration }, (_, generation) => generation)

/** Of versions: those that the index does not have, or has less of than it does now. */
export const unindexed: SQL = inArray(versions.indexGeneration, olderGenerations)

/** How far the index is: of how many versions how many are not in it yet, and how many could not be read. */
export async function indexState(
  read: Reader,
): Promise<{ readonly total: number; readonly missing: number; readonly failed: number }> {
  const [[all], [missing], [failed]] = await Promise.all([
    read.select({ n: count() }).from(versions),
    read.select({ n: count() }).from(versions).where(unindexed),
    read.select({ n: count(versions.indexProblem) }).from(versions),
  ])
  return { total: all?.n ?? 0, missing: missing?.n ?? 0, failed: failed?.n ?? 0 }
}

/**
 * Queues what is not indexed, one job for each organization. Any number of processes may do it: what is queued already is not
 * queued again.
 * @returns how many jobs were queued
 */
export async function queueReindex(db: Database, now: number): Promise<number> {
  return db.inTransaction(async (tx) => {
    await tx.lock('reindex-backlog')
    const queued = new Set((await reindexJob.unfinished(tx)).map(({ tenantId }) => tenantId))
    const rows = await tx.selectDistinct({ tenantId: versions.tenantId }).from(versions).where(unindexed)
    const missing = rows.filter(({ tenantId }) => !queued.has(tenantId))
    for (const { tenantId } of missing) await reindexJob.enqueue(tx, { tenantId, payload: {}, now })
    return missing.length
  })
}

interface Read {
  readonly row: VersionRow
  /** What was found, or why it cannot be read. */
  readonly found: Analysis | string
}

/** Codes of what fails for one document alone, whatever their status is. */
const ofOneDocument: ReadonlySet<string> = new Set(['analysis-stopped', 'document-damaged'])

async function readVersion(deps: Deps, row: VersionRow, signal: AbortSignal): Promise<Read> {
  const { read } = deps.db
  try {
    const { guide } = await effectiveGuide(read, row.tenantId, row.projectId)
    return { row, found: await lintVersion(deps, read, row, guide) }
  } catch (error) {
    // What cannot be read is noted, and keeps no other version from being found. What fails for all of them is tried again later.
    const isOfAll = error instanceof SvcError && error.status >= 500 && !ofOneDocument.has(error.code)
    if (isOfAll || signal.aborted) throw error
    return { row, found: error instanceof Error ? error.message : String(error) }
  }
}

async function write(tx: Transaction, all: readonly Read[]): Promise<void> {
  for (const { row, found } of all) {
    const same = inTenant(versions, row.tenantId, eq(versions.id, row.id), eq(versions.digest, row.digest))
    const [there] = await tx.select({ id: versions.id }).from(versions).where(same)
    // Deleted meanwhile, or a draft whose document was replaced, which indexed that one.
    if (there === undefined) continue
    if (typeof found === 'string') await markIndexed(tx, row, found)
    else await indexVersion(tx, row, found)
  }
}

/**
 * Runs the jobs. What was indexed stays when a later part fails or the process ends.
 * @param perJob how many versions one of them indexes
 */
export const reindexHandler = (deps: Deps, perJob = versionsPerJob): JobHandler =>
  reindexJob.handle(async ({ job, signal, commit }) => {
    const { read } = deps.db
    const missing = inTenant(versions, job.tenantId, unindexed)
    const all = await read.$count(versions, missing)
    const total = Math.min(all, perJob)
    let done = 0
    let failed = 0
    while (done < total) {
      const rows = await read
        .select()
        .from(versions)
        .where(missing)
        .orderBy(desc(versions.createdAt), desc(versions.id))
        .limit(Math.min(versionsAtOnce, total - done))
      if (rows.length === 0) break
      const found: Read[] = []
      for (const row of rows) {
        signal.throwIfAborted()
        found.push(await readVersion(deps, row, signal))
      }
      done += rows.length
      failed += found.filter((it) => typeof it.found === 'string').length
      await commit({ phase: 'indexing', done, total }, (tx) => write(tx, found))
    }
    return async (tx) => {
      const rest = await tx.$count(versions, missing)
      if (done > 0 && rest > 0) {
        await reindexJob.enqueue(tx, { tenantId: job.tenantId, payload: {}, now: deps.clock.now() })
        tx.afterCommit(() => deps.wake())
      }
      const result = { indexed: done - failed, failed }
      return { status: failed > 0 ? 'completed_with_warnings' : 'completed', result }
    }
  })
