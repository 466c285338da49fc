import { clockOf } from '../../../db/clock.ts'
import { defineJob } from '../../../server/jobs/define.ts'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { count, like } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { cancelJob, enqueueJob, findJob, type Job } from '../../../db/jobs.ts'
import { openDatabase } from '../../../db/open.ts'
import { tenants } from '../../../db/tables.gen.ts'
import { type JobHandler, startWorker, type WorkerOptions } from '../../../server/jobs/worker.ts'
import { SvcError } from '../../../src/errors.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const at = '2026-05-05T00:00:00.000Z'
const clock = clockOf()

type Run = Parameters<ReturnType<typeof defineJob<object, unknown>>['handle']>[0]

const handlersOf = (runs: Record<string, Run>): JobHandler[] =>
  Object.entries(runs).map(([kind, run]) => defineJob<object, unknown>(kind).handle(run))

async function addTenant(db: Database): Promise<void> {
  const row = { id: 't1', slug: 't1', name: 'T', settings: {}, createdAt: at, updatedAt: at }
  await db.inTransaction((tx) => tx.insert(tenants).values(row))
}

const enqueue = async (db: Database, kind: string): Promise<Job> =>
  (await db.inTransaction((tx) => enqueueJob(tx, { kind, tenantId: 't1', payload: {}, now: clock.now() }))).job

async function waitFor(db: Database, id: string, status: Job['status']): Promise<Job> {
  for (let n = 0; n < 400; n++) {
    const job = await findJob(db.read, id)
    if (job?.status === status) return job
    await Bun.sleep(10)
  }
  throw new Error(`The job never became ${status}: ${JSON.stringify(await findJob(db.read, id))}`)
}

onBothEngines('the job worker', (makeDb) => {
  const run = async (runs: Record<string, Run>, more: Partial<WorkerOptions> = {}) => {
    const db = await makeDb()
    await addTenant(db)
    const stop = new AbortController()
    const faults: unknown[] = []
    const onFault = (error: unknown) => void faults.push(error)
    const worker = startWorker({
      db,
      handlers: handlersOf(runs),
      signal: stop.signal,
      clock,
      onFault,
      pollMs: 10_000,
      ...more,
    })
    const end = async () => {
      stop.abort()
      await worker.done
    }
    return { db, worker, stop, faults, end }
  }

  test('a queued job runs at once when woken, though the next look would be far away', async () => {
    const { db, worker, end, faults } = await run({
      greet: async ({ progress }) => {
        await progress({ phase: 'fetching', done: 1, total: 2 })
        return async () => ({ status: 'completed', result: 'hello' })
      },
    })
    await Bun.sleep(20)
    const { job } = await db.inTransaction((tx) => {
      tx.afterCommit(worker.wake)
      return enqueueJob(tx, { kind: 'greet', tenantId: 't1', payload: {}, now: clock.now() })
    })
    expect(await waitFor(db, job.id, 'completed')).toMatchObject({
      result: 'hello',
      phase: 'fetching',
      progressDone: 2,
      progressTotal: 2,
    })
    await end()
    expect(faults).toEqual([])
  })

  test('each finished job is reported once, with its kind, result and duration', async () => {
    const told: unknown[] = []
    const { db, worker, end } = await run(
      {
        greet: async () => async () => ({ status: 'completed' }),
        refuse: () => Promise.reject(new SvcError('usage', { reason: 'no' })),
      },
      { onEnded: (ended) => void told.push(ended) },
    )
    const [greeted, refused] = [await enqueue(db, 'greet'), await enqueue(db, 'refuse')]
    worker.wake()
    const ended = [await waitFor(db, greeted.id, 'completed'), await waitFor(db, refused.id, 'failed')]
    await end()
    const expected = ended.map(({ kind, status, startedAt, finishedAt }) => ({
      kind,
      outcome: status,
      seconds: (Date.parse(finishedAt ?? '') - Date.parse(startedAt ?? '')) / 1000,
    }))
    expect(told.toSorted((x, y) => (JSON.stringify(x) < JSON.stringify(y) ? -1 : 1))).toEqual(expected)
  })

  test('a tenant whose jobs take long has half of the worker, whatever it queues', async () => {
    const gate = Promise.withResolvers<void>()
    const running: string[] = []
    let most = 0
    const { db, worker, end } = await run({
      slow: async ({ job }) => {
        running.push(job.id)
        most = Math.max(most, running.length)
        await gate.promise
        running.splice(running.indexOf(job.id), 1)
        return async () => ({ status: 'completed' })
      },
      quick: async () => async () => ({ status: 'completed' }),
    })
    const row = { id: 't2', slug: 't2', name: 'T', settings: {}, createdAt: at, updatedAt: at }
    await db.inTransaction((tx) => tx.insert(tenants).values(row))
    const slow = await Promise.all(Array.from({ length: 6 }, () => enqueue(db, 'slow')))
    worker.wake()
    for (let n = 0; n < 200 && running.length < 2; n++) await Bun.sleep(5)
    const other = { kind: 'quick', tenantId: 't2', payload: {}, now: clock.now() }
    const { job } = await db.inTransaction((tx) => enqueueJob(tx, other))
    worker.wake()
    await waitFor(db, job.id, 'completed')
    expect([running.length, most]).toEqual([2, 2])
    gate.resolve()
    for (const { id } of slow) await waitFor(db, id, 'completed')
    expect(most).toBe(2)
    await end()
  })

  test('a refusal fails the job with its code; a fault is reported and tried again', async () => {
    let broken = 0
    const { db, worker, end, faults } = await run({
      refuse: async () => {
        throw new SvcError('document-invalid', { reason: 'it is empty' })
      },
      break: async () => {
        broken++
        throw new Error('the password is hunter2')
      },
    })
    const refused = await enqueue(db, 'refuse')
    const fault = await enqueue(db, 'break')
    worker.wake()
    expect((await waitFor(db, refused.id, 'failed')).error).toEqual({
      code: 'document-invalid',
      message: 'Invalid document: it is empty.',
      reason: 'it is empty',
    })
    for (let n = 0; n < 200 && faults.length === 0; n++) await Bun.sleep(5)
    await end()
    const again = await findJob(db.read, fault.id)
    expect(again).toMatchObject({ status: 'queued', attempts: 1, error: { code: 'internal', request_id: fault.id } })
    expect(JSON.stringify(again?.error)).not.toContain('hunter2')
    expect([broken, faults.map(String)]).toEqual([1, ['Error: the password is hunter2']])
  })

  test('what the persisting part wrote is undone when it throws', async () => {
    const { db, worker, end } = await run({
      half: async () => async (tx) => {
        await tx.insert(tenants).values({ id: 'x', slug: 'x', name: 'X', settings: {}, createdAt: at, updatedAt: at })
        throw new SvcError('document-invalid', { reason: 'too late' })
      },
    })
    const job = await enqueue(db, 'half')
    worker.wake()
    await waitFor(db, job.id, 'failed')
    await end()
    expect(await db.read.select({ id: tenants.id }).from(tenants)).toEqual([{ id: 't1' }])
  })

  test('cancelling a running job aborts its signal and keeps it cancelled', async () => {
    const started = Promise.withResolvers<void>()
    const { db, worker, end, faults } = await run(
      {
        wait: async ({ signal }) => {
          started.resolve()
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
          return async () => ({ status: 'completed' })
        },
      },
      { leaseMs: 60 },
    )
    const job = await enqueue(db, 'wait')
    worker.wake()
    await started.promise
    await db.inTransaction((tx) => cancelJob(tx, job.id, clock.now()))
    await end()
    expect((await findJob(db.read, job.id))?.status).toBe('cancelled')
    expect(faults).toEqual([])
  })

  test('stopping lets a running job finish, and gives one back that takes too long', async () => {
    const running = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    let count = 0
    const { db, worker, end } = await run(
      {
        short: async () => {
          if (++count === 2) running.resolve()
          await stopped.promise
          return async () => ({ status: 'completed' })
        },
        long: async ({ signal }) => {
          if (++count === 2) running.resolve()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          return async () => ({ status: 'completed' })
        },
      },
      { drainMs: 150 },
    )
    const short = await enqueue(db, 'short')
    const long = await enqueue(db, 'long')
    worker.wake()
    await running.promise
    const late = await enqueue(db, 'short')
    const ending = end()
    // The worker must stop before a short job ends, or it would start the third one.
    stopped.resolve()
    await ending
    const ended = await Promise.all([short, long, late].map(({ id }) => findJob(db.read, id)))
    expect(ended.map((job) => [job?.status, job?.attempts])).toEqual([
      ['completed', 1],
      ['queued', 0],
      ['queued', 0],
    ])
  })

  test('kill -9 in the middle of writing leaves nothing; the next worker resumes and writes all', async () => {
    const target = await makeDb.makeTarget()
    const db = await openDatabase(target)
    try {
      await addTenant(db)
      const job = await enqueue(db, 'fill')
      const start = (mode: string) =>
        Bun.spawn([process.execPath, join(import.meta.dir, 'worker-process.ts'), JSON.stringify(target), mode], {
          stdout: 'pipe',
          stderr: 'inherit',
        })
      const made = () => db.read.select({ n: count() }).from(tenants).where(like(tenants.slug, 'made-%'))

      const victim = start('stall')
      let said = ''
      for await (const chunk of victim.stdout) {
        said += new TextDecoder().decode(chunk)
        if (said.includes('half')) break
      }
      victim.kill('SIGKILL')
      await victim.exited
      expect(said).toBe('claimed 1\nhalf\n')
      expect(await made()).toEqual([{ n: 0 }])
      expect((await findJob(db.read, job.id))?.status).toBe('running')

      const heir = start('finish')
      expect(await new Response(heir.stdout).text()).toBe('claimed 1\ndone\n')
      expect(await heir.exited).toBe(0)
      expect(await made()).toEqual([{ n: 50 }])
      expect(await findJob(db.read, job.id)).toMatchObject({ status: 'completed', result: { rows: 50 }, attempts: 1 })
    } finally {
      await db.close()
    }
  })

  test('two processes share a queue: every job runs once, and both take part', async () => {
    const target = await makeDb.makeTarget()
    const db = await makeDb.open(target)
    await addTenant(db)
    const workers = [1, 2].map(() =>
      Bun.spawn([process.execPath, join(import.meta.dir, 'worker-process.ts'), JSON.stringify(target), 'share'], {
        stdin: 'pipe',
        stdout: 'pipe',
        stderr: 'inherit',
      }),
    )
    for (const { stdout } of workers) await stdout.getReader().read()
    const ids: string[] = []
    for (let n = 0; n < 40; n++) ids.push((await enqueue(db, 'count')).id)
    const ended = await Promise.all(ids.map((id) => waitFor(db, id, 'completed')))
    for (const worker of workers) void worker.stdin.end()
    expect(await Promise.all(workers.map(({ exited }) => exited))).toEqual([0, 0])
    expect(new Set(ended.map(({ result }) => result))).toEqual(new Set(workers.map(({ pid }) => pid)))
    expect(ended.map(({ attempts }) => attempts)).toEqual(ended.map(() => 1))
    const written = await db.read.select({ id: tenants.id }).from(tenants)
    expect(written).toHaveLength(41)
  })
})
