/** What is due is done once, again after a crash, in turn between organizations, and never behind imports. */
import { afterEach, expect, test } from 'bun:test'
import { clockOf, isoOf } from '../../../db/clock.ts'
import type { Database } from '../../../db/database.ts'
import { cancelJob, enqueueJob } from '../../../db/jobs.ts'
import { dueWork, jobs, outboxEvents } from '../../../db/tables.gen.ts'
import type { Due, DueKind, DueName } from '../../../server/schedule/define.ts'
import type { ReaderName } from '../../../server/outbox/readers.ts'
import { dueKinds, outboxReaders } from '../../../server/registries.ts'
import { leaseMs } from '../../../server/schedule/hold.ts'
import { schedule, scheduleBy, takeRow, unschedule } from '../../../server/schedule/rows.ts'
import { startSchedule } from '../../../server/schedule/worker.ts'
import { addTenant, depsOver } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml } from '../../fixtures/pets-project.ts'
import { startSink, trustSinks } from '../../fixtures/sink.ts'

const start = Date.parse('2026-05-05T00:00:00.000Z')
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let n = 0; n < 2000 && !(await holds()); n++) await Bun.sleep(5)
  expect(await holds()).toBe(true)
}

/** A kind that notes for what it was done. */
function noting(
  kind: string,
  work: (due: Due, done: number) => Promise<number | null>,
  more: Partial<Omit<DueKind, 'kind'>> = {},
) {
  const done: string[] = []
  const it: DueKind<DueName> = {
    // Names of tests are not declared.
    kind: kind as DueName,
    longestMs: 60_000,
    ...more,
    run: async (due) => {
      done.push(due.subjectId)
      return work(due, done.length)
    },
  }
  return { it, done }
}

function over(db: Database) {
  let now = start
  const deps = depsOver(
    db,
    clockOf(() => now),
  )
  const faults: string[] = []
  return {
    deps,
    faults,
    now: () => now,
    wait: (ms: number) => void (now += ms),
    begin(kinds: readonly DueKind[], concurrency = 8) {
      const stop = new AbortController()
      const onFault = (fault: unknown, where: string) => faults.push(`${where}: ${(fault as Error).message}`)
      const worker = startSchedule({ deps, kinds, concurrency, tickMs: 5, onFault }, stop.signal)
      const end = () => {
        stop.abort()
        return worker.done
      }
      ends.push(end)
      return end
    },
    put: ({ kind }: DueKind<DueName>, subjectId: string, tenantId: string | null = null, at = now) =>
      db.inTransaction((tx) => schedule(tx, kind, { subjectId, tenantId, at })),
    rows: async () =>
      (await db.read.select().from(dueWork).orderBy(dueWork.kind, dueWork.subjectId)).map(
        (it) => `${it.kind} ${it.subjectId} ${(Date.parse(it.dueAt) - start) / 1000} ${it.failures}`,
      ),
  }
}

test('kinds of due work and readers of events are registered under their names', () => {
  expect(Object.values(dueKinds).map(({ kind }) => kind)).toEqual(Object.keys(dueKinds) as DueName[])
  expect(Object.values(outboxReaders).map(({ name }) => name)).toEqual(Object.keys(outboxReaders) as ReaderName[])
})

onBothEngines('the schedule', (makeDb) => {
  test('work that is brought forward is never put off again', async () => {
    const db = await makeDb()
    const { it } = noting('test.by', () => Promise.resolve(null))
    const dues: string[] = []
    for (const at of [500, 900, 200, 200]) {
      await db.inTransaction((tx) => scheduleBy(tx, it.kind, { subjectId: 's', tenantId: null, at: start + at }))
      const [row] = await db.read.select().from(dueWork)
      dues.push(row?.dueAt ?? '')
    }
    expect(dues).toEqual([500, 500, 200, 200].map((at) => isoOf(start + at)))
  })

  test('work is done when it is due, again when it says so, and never again with null', async () => {
    const it = over(await makeDb())
    const kind = noting('poll', async (due, done) => (done === 3 ? null : due.deps.clock.now() + 10_000))
    await it.put(kind.it, 'a', null, start + 1000)
    it.begin([kind.it])
    await Bun.sleep(40)
    expect(kind.done).toEqual([])
    it.wait(1000)
    await until(async () => (await it.rows())[0] === 'poll a 11 0')
    for (const rest of [['poll a 21 0'], []]) {
      it.wait(10_000)
      await until(async () => JSON.stringify(await it.rows()) === JSON.stringify(rest))
    }
    expect([kind.done, it.faults]).toEqual([['a', 'a', 'a'], []])
  })

  test('what fails is tried again after a growing pause, for as long as it takes, and then is as before', async () => {
    const it = over(await makeDb())
    const kind = noting('fails', async (_, done) => {
      if (done <= 3) throw new Error(`failure ${done}`)
      return start + 3_600_000
    })
    await it.put(kind.it, 'a')
    it.begin([kind.it])
    for (const [row, ms] of [
      ['fails a 1 1', 1000],
      ['fails a 3 2', 2000],
      ['fails a 7 3', 4000],
      ['fails a 3600 0', 0],
    ] as const) {
      await until(async () => (await it.rows())[0] === row)
      it.wait(ms)
    }
    expect(it.faults).toEqual(['fails a: failure 1', 'fails a: failure 2', 'fails a: failure 3'])
  })

  test('two workers do each piece once; what a dead worker had taken is done when its time is over', async () => {
    const db = await makeDb()
    const it = over(db)
    const kind = noting('shared', async () => null)
    for (let n = 0; n < 40; n++) await it.put(kind.it, String(n).padStart(2, '0'))
    await it.put(kind.it, 'lost')
    const [lost] = (await db.read.select().from(dueWork)).filter(({ subjectId }) => subjectId === 'lost')
    if (lost === undefined) throw new Error('no row')
    expect([await takeRow(db, lost, start + 60_000), await takeRow(db, lost, start + 60_000)]).toEqual([true, false])
    it.begin([kind.it])
    it.begin([kind.it])
    await until(async () => (await it.rows()).length === 1)
    expect(kind.done.toSorted()).toEqual(Array.from({ length: 40 }, (_, n) => String(n).padStart(2, '0')))
    it.wait(60_000)
    await until(async () => (await it.rows()).length === 0)
    expect([kind.done.at(-1), it.faults]).toEqual(['lost', []])
  })

  test('work that takes long stays with its process, also where the process stood still meanwhile', async () => {
    const it = over(await makeDb())
    const gate = Promise.withResolvers<void>()
    const kind = noting('long', async () => {
      await gate.promise
      return null
    })
    await it.put(kind.it, 'a')
    it.begin([kind.it])
    await until(() => kind.done.length === 1)
    // The lease of 2.5 seconds is renewed while it runs: a second process does not take it.
    it.wait(2000)
    await Bun.sleep(900)
    it.begin([kind.it])
    it.wait(2000)
    await Bun.sleep(300)
    expect(kind.done.length).toBe(1)
    gate.resolve()
    await until(async () => (await it.rows()).length === 0)
    expect([kind.done.length, it.faults]).toEqual([1, []])
  })

  test('a process that stood still does not take its own work a second time', async () => {
    const it = over(await makeDb())
    const gate = Promise.withResolvers<void>()
    const kind = noting('still', async () => {
      await gate.promise
      return null
    })
    await it.put(kind.it, 'a')
    it.begin([kind.it])
    await until(() => kind.done.length === 1)
    it.wait(30_000)
    await Bun.sleep(200)
    expect(kind.done.length).toBe(1)
    gate.resolve()
    await until(async () => (await it.rows()).length === 0)
    expect(kind.done.length).toBe(1)
  })

  test('what a process that ended had taken is done by another one within five seconds', async () => {
    const db = await makeDb()
    const it = over(db)
    const kind = noting('ended', async () => null)
    await it.put(kind.it, 'a')
    const [row] = await db.read.select().from(dueWork)
    if (row === undefined) throw new Error('no row')
    expect(await takeRow(db, row, start + leaseMs)).toBe(true)
    it.begin([kind.it])
    it.wait(leaseMs)
    await until(() => kind.done.length === 1)
    // Beside the lease it waits for the next look.
    expect(leaseMs + 2000 * 1.1).toBeLessThan(5000)
  })

  test('a change of the subject while its work is under way stands', async () => {
    const db = await makeDb()
    const it = over(db)
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const kind = noting('moved', async ({ subjectId }) => {
      await gates[subjectId === 'a' ? 0 : 1]?.promise
      return start + 5000
    })
    await it.put(kind.it, 'a')
    await it.put(kind.it, 'b')
    it.begin([kind.it])
    await until(() => kind.done.length === 2)
    await it.put(kind.it, 'a', null, start + 77_000)
    await db.inTransaction((tx) => unschedule(tx, kind.it.kind, 'b'))
    gates.forEach(({ resolve }) => resolve())
    await Bun.sleep(50)
    expect(await it.rows()).toEqual(['moved a 77 0'])
  })

  test('an organization has half of what is done at a time, however much it has', async () => {
    const db = await makeDb()
    const it = over(db)
    const [many, few] = [await addTenant(db, 'many'), await addTenant(db, 'few')]
    const gate = Promise.withResolvers<void>()
    let most = 0
    let underWay = 0
    const kind = noting('turns', async ({ tenantId }) => {
      if (tenantId === many) {
        underWay += 1
        most = Math.max(most, underWay)
        await gate.promise
        underWay -= 1
      }
      return null
    })
    for (let n = 0; n < 120; n++) await it.put(kind.it, `m${n}`, many, start - 1000)
    await it.put(kind.it, 'other', few)
    it.begin([kind.it], 4)
    await until(() => kind.done.includes('other'))
    expect(most).toBe(2)
    gate.resolve()
    await until(async () => (await it.rows()).length === 0)
    expect([most, kind.done.length]).toEqual([2, 121])
  })

  test('work of the whole service is done by one of the processes, each time', async () => {
    const it = over(await makeDb())
    const kind = noting('hourly', async () => null, { everyMs: 3_600_000 })
    it.begin([kind.it])
    it.begin([kind.it])
    await until(async () => (await it.rows())[0] === 'hourly service 3600 0')
    it.wait(3_600_000)
    await until(async () => (await it.rows())[0] === 'hourly service 7200 0')
    expect(kind.done).toEqual(['service', 'service'])
  })

  test('a process that ends gives its work back, and what another kind does is left alone', async () => {
    const it = over(await makeDb())
    const kind = noting(
      'slow',
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    )
    const foreign = noting('foreign', async () => null)
    await it.put(kind.it, 'a')
    await it.put(foreign.it, 'a')
    const end = it.begin([kind.it])
    await until(() => kind.done.length === 1)
    await end()
    expect([await it.rows(), it.faults]).toEqual([['foreign a 0 0', 'slow a 0 0'], []])
  })

  test('the sweep removes what is old', async () => {
    const db = await makeDb()
    const it = over(db)
    const tenantId = await addTenant(db, 'swept')
    const old = isoOf(start - 31 * 24 * 3_600_000)
    const event = { tenantId, type: 'version.retired', subjectId: 's', payload: {} }
    await db.inTransaction((tx) =>
      tx.insert(outboxEvents).values([
        { ...event, id: 'old', createdAt: old },
        { ...event, id: 'new', createdAt: isoOf(start) },
      ]),
    )
    const finished: string[] = []
    for (const at of [start - 31 * 24 * 3_600_000, start]) {
      const { job } = await db.inTransaction((tx) => enqueueJob(tx, { kind: 'x', tenantId, payload: {}, now: at }))
      await db.inTransaction((tx) => cancelJob(tx, job.id, at))
      finished.push(job.id)
    }
    it.begin(Object.values(dueKinds))
    await until(async () => (await it.rows()).includes('sweep service 3600 0'))
    expect((await db.read.select().from(outboxEvents)).map(({ id }) => id)).toEqual(['new'])
    expect((await db.read.select().from(jobs)).map(({ id }) => id)).toEqual(finished.slice(1))
    expect(it.faults).toEqual([])
  })

  test('imports of many documents delay neither a delivery nor what is due', async () => {
    const db = await makeDb()
    const trust = trustSinks()
    const sink = startSink()
    const pets = await openPetsProject(db, { egressAllow: '127.0.0.0/8,::1/128' })
    ends.push(
      () => pets.service.stop(true),
      () => sink.stop(),
      async () => trust.end(),
    )
    const base = '/v1/push-webhook-subscriptions/local'
    const hook = await pets.send('POST', base, { url: sink.url, signingSecret: 'a secret that is long enough' })
    const files = Array.from({ length: 60 }, (_, n) => ({
      path: `${n}.yaml`,
      content: petsYaml('1.0.0').replace('Pets', `Pets ${n}`),
    }))
    const imports: string[] = []
    for (let n = 0; n < 6; n++) {
      const source = { kind: 'files', name: `tree ${n}`, files }
      const { value } = await pets.send('POST', '/v1/tenants/local/imports', {
        source,
        bulk: true,
        version: `${n}.0.0`,
      })
      imports.push(String(value['job_id']))
    }
    const unfinished = async () =>
      (await db.read.select().from(jobs)).filter(({ finishedAt }) => finishedAt === null).length
    const kind = noting('light', async () => null)
    const stop = new AbortController()
    const worker = startSchedule(
      { deps: pets.service.deps, kinds: [kind.it], tickMs: 50, onFault: () => {} },
      stop.signal,
    )
    ends.push(() => (stop.abort(), worker.done))
    await db.inTransaction((tx) =>
      schedule(tx, kind.it.kind, { subjectId: 'x', tenantId: pets.tenantId, at: Date.now() }),
    )
    for (let n = 1; n <= 3; n++) {
      await pets.send('POST', `${base}/${String(hook.value['id'])}/test`)
      await until(() => sink.received.length >= n)
    }
    await until(() => kind.done.length === 1)
    // All of that while imports wait.
    expect(imports.length).toBe(6)
    expect(await unfinished()).toBeGreaterThan(0)
  }, 60_000)
})
