import { isoOf } from '../../db/clock.ts'
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import {
  backoffMs,
  cancelJob,
  type ClaimedJob,
  claimJob,
  completeJob,
  enqueueJob,
  failJob,
  findJob,
  heartbeat,
  LeaseLostError,
  releaseJob,
  removeFinishedJobs,
  reportProgress,
} from '../../db/jobs.ts'
import { tenants } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { onBothEngines } from '../fixtures/engines.ts'

const start = Date.parse('2026-05-05T00:00:00.000Z')
const at = (seconds: number) => start + seconds * 1000
const iso = (seconds: number) => isoOf(at(seconds))
const leaseMs = 60_000

const newTenant = { id: 't1', slug: 't1', name: 'T', settings: {}, createdAt: iso(0), updatedAt: iso(0) }
const base = { kind: 'import', tenantId: 't1', payload: { n: 1 } }
const claim = (db: Database, seconds: number, workerId = 'w') =>
  claimJob(db, { kinds: ['import'], workerId, leaseMs, now: at(seconds) })

async function claimed(db: Database, seconds: number, workerId?: string): Promise<ClaimedJob> {
  const job = await claim(db, seconds, workerId)
  if (!job) throw new Error('no job was due')
  return job
}

onBothEngines('jobs', (makeDb) => {
  const prepare = async () => {
    const db = await makeDb()
    await db.inTransaction((tx) => tx.insert(tenants).values(newTenant))
    return db
  }
  const enqueue = (db: Database, more: Partial<Parameters<typeof enqueueJob>[1]> = {}) =>
    db.inTransaction((tx) => enqueueJob(tx, { ...base, now: at(0), ...more }))

  test('a job goes queued, running, completed, and its row says all of it', async () => {
    const db = await prepare()
    const { job, isNew } = await enqueue(db)
    expect(isNew).toBe(true)
    expect(await findJob(db.read, job.id)).toEqual(job)
    const mine = await claimed(db, 1)
    expect(await reportProgress(db, mine, { phase: 'parsing', done: 2, total: 5 })).toBe(true)
    const running = {
      ...job,
      status: 'running',
      attempts: 1,
      interruptions: 0,
      checkpoint: null,
      leaseOwner: mine.leaseOwner,
      leaseUntil: iso(61),
      startedAt: iso(1),
      phase: 'parsing',
      progressDone: 2,
      progressTotal: 5,
    } as const
    expect(await findJob(db.read, job.id)).toEqual(running)
    const outcome = { status: 'completed_with_warnings', result: { findings: ['é', 1, null] } } as const
    await db.inTransaction((tx) => completeJob(tx, mine, outcome, at(2)))
    expect(await findJob(db.read, job.id)).toEqual({
      ...running,
      ...outcome,
      progressDone: 5,
      result: { findings: ['é', 1, null] },
      leaseOwner: null,
      leaseUntil: null,
      finishedAt: iso(2),
    })
    expect(await claim(db, 1000)).toBeUndefined()
  })

  test('the organization with the fewest running jobs is served first, then the kind with the fewest', async () => {
    const db = await prepare()
    await db.inTransaction((tx) => tx.insert(tenants).values({ ...newTenant, id: 't2', slug: 't2' }))
    for (let n = 0; n < 5; n++) await enqueue(db)
    await enqueue(db, { kind: 'relint', now: at(1) })
    await enqueue(db, { tenantId: 't2', now: at(2) })
    const order: string[] = []
    const options = { kinds: ['import', 'relint'], workerId: 'w', leaseMs, now: at(3) }
    for (let job = await claimJob(db, options); job; job = await claimJob(db, options))
      order.push(`${job.tenantId} ${job.kind}`)
    expect(order).toEqual(['t1 import', 't2 import', 't1 relint', ...Array.from({ length: 4 }, () => 't1 import')])
  })

  test('ten workers claim each of thirty jobs once', async () => {
    const db = await prepare()
    const ids = new Set<string>()
    for (let n = 0; n < 30; n++) ids.add((await enqueue(db)).job.id)
    const taken = await Promise.all(
      Array.from({ length: 10 }, async (_, worker) => {
        const mine: string[] = []
        for (let job = await claim(db, 1, `w${worker}`); job; job = await claim(db, 1, `w${worker}`)) mine.push(job.id)
        return mine
      }),
    )
    expect(taken.flat().toSorted()).toEqual([...ids].toSorted())
  })

  test('jobs wait for their time, and other kinds are left alone', async () => {
    const db = await prepare()
    const later = await enqueue(db, { runAfter: at(10) })
    await enqueue(db, { kind: 'poll' })
    expect(await claim(db, 9)).toBeUndefined()
    expect((await claimed(db, 10)).id).toBe(later.job.id)
    expect(await claim(db, 11)).toBeUndefined()
  })

  test('an expired lease is claimed again, and the first worker can write nothing any more', async () => {
    const db = await prepare()
    await enqueue(db)
    const first = await claimed(db, 0, 'same')
    expect(await claim(db, 59, 'other')).toBeUndefined()
    expect(await heartbeat(db, first, leaseMs, at(50))).toBe(true)
    expect(await claim(db, 100, 'other')).toBeUndefined()
    // Even under its own name: the claim is what counts.
    const second = await claimed(db, 110, 'same')
    expect([second.id, second.attempts, second.interruptions]).toEqual([first.id, 1, 1])
    expect(await heartbeat(db, first, leaseMs, at(111))).toBe(false)
    expect(await reportProgress(db, first, { phase: 'x', done: 1, total: 1 })).toBe(false)
    const stale = db.inTransaction(async (tx) => {
      await tx.update(tenants).set({ name: 'written by a stale worker' }).where(eq(tenants.id, 't1'))
      await completeJob(tx, first, { status: 'completed' }, at(112))
    })
    expect(await stale.catch((error: Error) => error)).toBeInstanceOf(LeaseLostError)
    expect(await db.read.select({ name: tenants.name }).from(tenants)).toEqual([{ name: 'T' }])
    await db.inTransaction((tx) => completeJob(tx, second, { status: 'completed' }, at(113)))
    expect((await findJob(db.read, first.id))?.status).toBe('completed')
  })

  test('a failure is tried again after a growing pause until the attempts are used up', async () => {
    const db = await prepare()
    const { job } = await enqueue(db)
    const error = { code: 'fetch-failed', message: 'no answer', url: 'https://example.test' }
    let now = 0
    for (const attempt of [1, 2, 3]) {
      const mine = await claimed(db, now)
      expect(mine.attempts).toBe(attempt)
      await db.inTransaction((tx) => failJob(tx, mine, { error, retry: true, now: at(now), maxAttempts: 3 }))
      if (attempt === 3) break
      expect(await claim(db, now + backoffMs(attempt) / 1000 - 0.001)).toBeUndefined()
      now += backoffMs(attempt) / 1000
    }
    expect(await findJob(db.read, job.id)).toMatchObject({ status: 'failed', error, finishedAt: iso(now), attempts: 3 })
    expect([1, 2, 3, 4, 20].map(backoffMs)).toEqual([1000, 2000, 4000, 8000, 300_000])
  })

  test('a permanent failure is not tried again', async () => {
    const db = await prepare()
    const { job } = await enqueue(db)
    const mine = await claimed(db, 0)
    const error = { code: 'document-invalid', message: 'bad' }
    await db.inTransaction((tx) => failJob(tx, mine, { error, retry: false, now: at(1) }))
    expect(await findJob(db.read, job.id)).toMatchObject({ status: 'failed', error, finishedAt: iso(1) })
  })

  test('a job whose process ended is done again at once, then after growing pauses, and its attempts do not count', async () => {
    const db = await prepare()
    const { job } = await enqueue(db)
    const state = async () => {
      const now = await findJob(db.read, job.id)
      return [now?.status, now?.attempts, now?.interruptions]
    }
    expect([await claim(db, 0), await state()].at(-1)).toEqual(['running', 1, 0])
    expect(await claim(db, 60)).toBeDefined()
    expect(await state()).toEqual(['running', 1, 1])
    // The second time it waits a second, the third time two.
    expect(await claim(db, 120)).toBeUndefined()
    expect(await state()).toEqual(['queued', 0, 2])
    expect(await claim(db, 121)).toBeDefined()
    expect(await claim(db, 182)).toBeUndefined()
    expect(await claim(db, 183)).toBeUndefined()
    expect(await claim(db, 184)).toBeDefined()
    expect(await state()).toEqual(['running', 1, 3])
  })

  test('a job that fifteen processes ended with is failed with the reason', async () => {
    const db = await prepare()
    const { job } = await enqueue(db)
    let now = 0
    for (let n = 0; n < 60 && (await findJob(db.read, job.id))?.status !== 'failed'; n++) {
      await claim(db, now)
      now += 400
    }
    expect(await findJob(db.read, job.id)).toMatchObject({
      status: 'failed',
      interruptions: 16,
      error: {
        code: 'internal',
        message:
          'The job failed: the service stopped while running it, 16 times. Nothing of it was stored; check the document before you try again.',
      },
    })
  })

  test('cancelling ends a queued or running job once, and takes the lease away', async () => {
    const db = await prepare()
    const queued = await enqueue(db)
    const cancel = (id: string) => db.inTransaction((tx) => cancelJob(tx, id, at(5)))
    expect([await cancel(queued.job.id), await cancel(queued.job.id), await cancel('none')]).toEqual([
      true,
      false,
      false,
    ])
    const running = await enqueue(db)
    const mine = await claimed(db, 1)
    expect(mine.id).toBe(running.job.id)
    expect(await cancel(mine.id)).toBe(true)
    expect(await heartbeat(db, mine, leaseMs, at(6))).toBe(false)
    expect(await findJob(db.read, mine.id)).toMatchObject({ status: 'cancelled', finishedAt: iso(5), leaseOwner: null })
  })

  test('a released job is due at once and its attempt does not count', async () => {
    const db = await prepare()
    await enqueue(db)
    const mine = await claimed(db, 1)
    await db.inTransaction((tx) => releaseJob(tx, mine, at(2)))
    expect(await claimed(db, 2)).toMatchObject({ id: mine.id, attempts: 1 })
  })

  test('an idempotency key finds the first job for a day, and is refused for another request', async () => {
    const db = await prepare()
    const idempotency = { key: 'k', digest: 'd1' }
    const first = await enqueue(db, { idempotency })
    expect(await enqueue(db, { idempotency, now: at(86_400) })).toEqual({ job: first.job, isNew: false })
    const other = await enqueue(db, { idempotency: { key: 'k', digest: 'd2' } }).catch((error: unknown) => error)
    expect(other).toBeInstanceOf(SvcError)
    expect((other as SvcError).code).toBe('idempotency-key-reused')
    const nextDay = await enqueue(db, { idempotency: { key: 'k', digest: 'd2' }, now: at(86_401) })
    expect(nextDay.isNew).toBe(true)
    const together = await Promise.all(
      [1, 2, 3, 4].map(() => enqueue(db, { idempotency: { key: 'together', digest: 'd' } })),
    )
    expect(new Set(together.map(({ job }) => job.id)).size).toBe(1)
    expect(together.filter(({ isNew }) => isNew)).toHaveLength(1)
  })

  test('finished jobs are removed when they are old', async () => {
    const db = await prepare()
    const old = await enqueue(db)
    await db.inTransaction((tx) => cancelJob(tx, old.job.id, at(10)))
    const open = await enqueue(db)
    expect(await removeFinishedJobs(db, at(10))).toBe(0)
    expect(await removeFinishedJobs(db, at(11))).toBe(1)
    expect(await findJob(db.read, old.job.id)).toBeUndefined()
    expect(await findJob(db.read, open.job.id)).toEqual(open.job)
  })
})
