import type { Deps } from '../kit/door.ts'

/**
 * A job when it has ended, at the latest after `waitMs` or when the signal says so.
 * @param find reads its row; what it raises is raised
 */
export async function waitForJob<Row extends { readonly finishedAt: string | null }>(
  deps: Pick<Deps, 'wake'>,
  find: () => Promise<Row>,
  waitMs: number,
  signal: AbortSignal,
): Promise<Row> {
  const deadline = performance.now() + waitMs
  let job = await find()
  // Where nothing was queued yet no one works: a command that only waits for the job has to do it.
  if (waitMs > 0 && job.finishedAt === null) deps.wake()
  // Another replica may run the job, so its row is what tells; a short pause costs less than a late answer.
  for (
    let pauseMs = 2;
    job.finishedAt === null && !signal.aborted && performance.now() < deadline;
    pauseMs = Math.min(pauseMs * 2, 250)
  ) {
    await Bun.sleep(pauseMs)
    job = await find()
  }
  return job
}
