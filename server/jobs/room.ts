import { countUnfinished } from '../../db/jobs.ts'
import type { Transaction } from '../../db/database.ts'
import { SvcError } from '../../src/errors.ts'

/** The jobs that people queue; those of embeddings follow from publications. */
const kinds = ['import', 'relint', 'primitive-impact']
const mostJobs = 1000
const retryAfterSeconds = 30

/**
 * Called in the transaction that has queued a job.
 * @throws SvcError `jobs-exceeded` when too many of the tenant wait or run
 */
export async function assertJobRoom(tx: Transaction, tenantId: string): Promise<void> {
  const used = await countUnfinished(tx, tenantId, kinds)
  if (used > mostJobs)
    throw new SvcError('jobs-exceeded', { used: used - 1, max: mostJobs, retry_after: retryAfterSeconds })
}
