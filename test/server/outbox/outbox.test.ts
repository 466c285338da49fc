import { expect, test } from 'bun:test'
import { count, eq } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { auditEvents, outboxEvents, outboxTasks, tenants } from '../../../db/tables.gen.ts'
import { recordAudit } from '../../../server/auth/audit.ts'
import type { OutboxReader } from '../../../server/outbox/define.ts'
import type { OutboxPayloads } from '../../../server/outbox/events.ts'
import { readBatch } from '../../../server/outbox/read.ts'
import { recordEvent } from '../../../server/outbox/record.ts'
import { sweepOutbox } from '../../../server/outbox/sweep.ts'
import { startOutbox } from '../../../server/outbox/worker.ts'
import { clockOf, isoOf } from '../../../db/clock.ts'
import { depsOver } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const start = Date.parse('2026-05-05T00:00:00.000Z')
const day = 24 * 3_600_000

const payload = (label: string): Omit<OutboxPayloads['version.published'], 'sequence'> => ({
  project_id: 'p',
  project_slug: 'pets',
  version_id: label,
  label,
  visibility: 'private',
  digest: 'sha256:0',
  baseline_version_id: null,
  baseline_label: null,
  max_severity: null,
  counts: { breaking: 0, nonBreaking: 0, docsOnly: 0, unknown: 0 },
  forced: false,
  published_by: null,
  published_at: isoOf(start),
})

/** A reader that writes the label of each event to the audit trail, and fails before or after that on request. */
const noting = (name: string, failing: () => 'no' | 'before' | 'after' = () => 'no') => {
  const reader: OutboxReader = {
    name,
    work: async (_, tx, event) => {
      if (failing() === 'before') throw new Error('before')
      if (event.type !== 'version.published') throw new Error(event.type)
      const { label } = event.payload
      await recordAudit(tx, {
        tenantId: event.tenantId,
        actor: null,
        action: 'version.published',
        targetId: `${name} ${label}`,
        at: event.createdAt,
      })
      if (failing() === 'after') throw new Error('after')
    },
  }
  return { ...reader, types: new Set(['version.published'] as const) }
}

async function over(db: Database, slug: string) {
  let now = start
  const deps = depsOver(
    db,
    clockOf(() => now),
  )
  const at = isoOf(start)
  await db.inTransaction((tx) =>
    tx.insert(tenants).values({ id: slug, slug, name: slug, settings: {}, createdAt: at, updatedAt: at }),
  )
  const failures: string[] = []
  return {
    deps,
    failures,
    wait: (ms: number) => void (now += ms),
    record: (label: string, readers: Parameters<typeof recordEvent>[3]) =>
      db.inTransaction((tx) =>
        recordEvent(
          deps,
          tx,
          { tenantId: slug, type: 'version.published', subjectId: label, payload: payload(label), at: isoOf(now) },
          readers,
        ),
      ),
    read: (reader: Parameters<typeof readBatch>[1]) =>
      readBatch(deps, reader, (error) => failures.push((error as Error).message)),
    noted: async () =>
      (await db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, slug)))
        .map(({ targetId }) => targetId ?? '')
        .toSorted(),
    tasks: async () =>
      (await db.read.select().from(outboxTasks).orderBy(outboxTasks.reader, outboxTasks.dueAt)).map(
        (it) => `${it.reader} ${it.attempts} ${(Date.parse(it.dueAt) - start) / 1000}`,
      ),
  }
}

onBothEngines('the outbox', (makeDb) => {
  test('each reader works on each event once, whatever the others do', async () => {
    const it = await over(await makeDb(), 'each')
    const first = noting('first')
    const second = noting('second')
    await it.record('1.0.0', [first, second])
    await it.record('1.1.0', [first, second])
    expect(await it.read(first)).toBe(2)
    expect([await it.noted(), await it.tasks()]).toEqual([
      ['first 1.0.0', 'first 1.1.0'],
      ['second 0 0', 'second 0 0'],
    ])
    expect([await it.read(first), await it.read(second), await it.read(second)]).toEqual([0, 2, 0])
    expect(await it.noted()).toEqual(['first 1.0.0', 'first 1.1.0', 'second 1.0.0', 'second 1.1.0'])
    expect(await it.tasks()).toEqual([])
  })

  test('an event that is undone leaves no task, and one that no reader is for has none', async () => {
    const db = await makeDb()
    const it = await over(db, 'undone')
    const undone = db.inTransaction(async () => {
      await it.record('1.0.0', [noting('first')])
      throw new Error('undone')
    })
    expect(await undone.catch((error: Error) => error.message)).toBe('undone')
    await it.record('1.1.0', [])
    expect([await it.tasks(), await db.read.select({ n: count() }).from(outboxEvents)]).toEqual([[], [{ n: 1 }]])
  })

  test('what fails is undone, holds back nothing else, and is tried again after a growing pause', async () => {
    const it = await over(await makeDb(), 'fails')
    let mode: 'no' | 'before' | 'after' = 'after'
    const reader = noting('reader', () => mode)
    await it.record('1.0.0', [reader])
    expect([await it.read(reader), await it.noted(), await it.tasks()]).toEqual([1, [], ['reader 1 1']])
    mode = 'no'
    await it.record('1.1.0', [reader])
    expect([await it.read(reader), await it.noted()]).toEqual([1, ['reader 1.1.0']])
    mode = 'before'
    it.wait(1000)
    expect([await it.read(reader), await it.tasks()]).toEqual([1, ['reader 2 3']])
    it.wait(1999)
    expect(await it.read(reader)).toBe(0)
    mode = 'no'
    it.wait(1)
    expect([await it.read(reader), await it.noted()]).toEqual([1, ['reader 1.0.0', 'reader 1.1.0']])
    expect([it.failures, await it.tasks()]).toEqual([['after', 'before'], []])
  })

  test('a reader works on all events together; where that fails it is undone, and each is worked on by itself', async () => {
    const it = await over(await makeDb(), 'all')
    const batches: number[] = []
    let fails = false
    const one = noting('reader')
    const reader: typeof one = {
      ...one,
      workOnAll: async (deps, tx, events) => {
        batches.push(events.length)
        for (const event of events) await one.work(deps, tx, event)
        if (fails) throw new Error('all')
      },
    }
    for (const label of ['1.0.0', '1.1.0', '1.2.0']) await it.record(label, [reader])
    expect([await it.read(reader), batches]).toEqual([3, [3]])
    fails = true
    for (const label of ['2.0.0', '2.1.0']) await it.record(label, [reader])
    expect([await it.read(reader), batches, it.failures]).toEqual([2, [3, 2], []])
    // One alone needs no batch.
    await it.record('3.0.0', [reader])
    expect([await it.read(reader), batches]).toEqual([1, [3, 2]])
    const labels = ['1.0.0', '1.1.0', '1.2.0', '2.0.0', '2.1.0', '3.0.0']
    expect([await it.noted(), await it.tasks()]).toEqual([labels.map((label) => `reader ${label}`), []])
  })

  test('two workers share the events, and each event is worked on once', async () => {
    const it = await over(await makeDb(), 'shared')
    const reader = noting('shared')
    const labels = Array.from({ length: 100 }, (_, n) => `1.${n}.0`)
    for (const label of labels) await it.record(label, [reader])
    const stop = new AbortController()
    const faults: unknown[] = []
    const options = { deps: it.deps, readers: [reader], pollMs: 5, onFault: (fault: unknown) => faults.push(fault) }
    const workers = [startOutbox(options, stop.signal), startOutbox(options, stop.signal)]
    for (let n = 0; n < 1000 && (await it.tasks()).length > 0; n++) await Bun.sleep(5)
    stop.abort()
    await Promise.all(workers.map(({ done }) => done))
    expect([await it.noted(), faults]).toEqual([labels.map((label) => `shared ${label}`).toSorted(), []])
  })

  test('an event is removed when it is 30 days old and no reader has to work on it', async () => {
    const db = await makeDb()
    const it = await over(db, 'swept')
    const reader = noting('swept')
    await it.record('done', [])
    await it.record('waiting', [reader])
    it.wait(2)
    await it.record('young', [])
    const sweep = (now: number, readers = [reader]) => sweepOutbox(db, now, readers)
    const left = async () => (await db.read.select().from(outboxEvents)).map(({ subjectId }) => subjectId).toSorted()
    await sweep(start + 30 * day)
    expect(await left()).toEqual(['done', 'waiting', 'young'])
    await sweep(start + 30 * day + 1)
    expect([await left(), await it.tasks()]).toEqual([['waiting', 'young'], ['swept 0 0']])
    // A reader that this program does not have keeps no event.
    await sweep(start + 30 * day + 1, [])
    expect([await left(), await it.tasks()]).toEqual([['young'], []])
  })
})
