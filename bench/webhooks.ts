/** Deliveries of webhooks to a receiver on this machine, on SQLite and Postgres, against a loop of bare requests in the same run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, count, eq, isNotNull } from 'drizzle-orm'
import type { Transaction } from '../db/database.ts'
import { openDatabase, type DatabaseTarget } from '../db/open.ts'
import { tenants, webhookAttempts, webhookDeliveries } from '../db/tables.gen.ts'
import { recordEvent } from '../server/outbox/record.ts'
import { webhooksApi } from '../src/api/webhooks.ts'
import { startService } from '../test/fixtures/service.ts'
import { startPostgres } from '../test/fixtures/postgres.ts'
import { startSink, trustSinks } from '../test/fixtures/sink.ts'
import type { Measurement } from './measure.ts'

const events = 1000
const receivers = 4
const deliveries = events * receivers
const singles = 60
/** Events that are delivered before: a server runs for a long time. */
const warmUp = 200
const signingSecret = 'a secret of the benchmark, long enough'

async function onDatabase(name: string, target: DatabaseTarget): Promise<Measurement[]> {
  const db = await openDatabase(target)
  const it = await startService(db, { egressAllow: '127.0.0.0/8,::1/128' })
  const [tenant] = await db.read.select({ id: tenants.id }).from(tenants)
  const tenantId = tenant?.id ?? ''
  const sinks = Array.from({ length: receivers }, () => startSink())
  const params = { tenant_slug: it.tenant }
  const write = (tx: Transaction, n: number, wakes: boolean) =>
    recordEvent(wakes ? it.service.deps : { wakeReaders: () => {} }, tx, {
      tenantId,
      type: 'version.retired',
      subjectId: String(n),
      payload: { project_id: 'p', project_slug: 'p', version_id: String(n), label: `1.${n}.0` },
      at: new Date().toISOString(),
    })
  const left = async () => {
    const [row] = await db.read.select({ n: count() }).from(webhookDeliveries).where(isNotNull(webhookDeliveries.dueAt))
    return row?.n ?? 0
  }
  try {
    for (const [n, { url }] of sinks.entries())
      await it.call(webhooksApi.create, { params, body: { url: `${url}/${n}`, signingSecret } })
    const arrived = () => sinks.reduce((sum, { received }) => sum + received.length, 0)
    const deliver = async (count: number, from: number): Promise<number> => {
      const before = arrived()
      // In one transaction: otherwise the service begins before all of them are there.
      await db.inTransaction(async (tx) => {
        for (let n = 0; n < count; n++) await write(tx, from + n, false)
      })
      const begin = performance.now()
      it.service.deps.wake()
      while (arrived() < before + count * receivers || (await left()) > 0) await Bun.sleep(20)
      return (count * receivers) / ((performance.now() - begin) / 1000)
    }
    await deliver(warmUp, 0)
    const rate = await deliver(events, warmUp)
    // At idle: from the commit of the event to the request at the receiver.
    const waits: number[] = []
    for (let n = 0; n < singles; n++) {
      const before = sinks[0]?.received.length ?? 0
      await db.inTransaction((tx) => write(tx, warmUp + events + n, true))
      const committed = Date.now()
      while ((sinks[0]?.received.length ?? 0) === before) await Bun.sleep(1)
      waits.push((sinks[0]?.received.at(-1)?.at ?? committed) - committed)
      await Bun.sleep(20)
    }
    const p99 = waits.toSorted((a, b) => a - b)[Math.ceil(waits.length * 0.99) - 1] ?? 0
    const failed = and(eq(webhookAttempts.tenantId, tenantId), isNotNull(webhookAttempts.errorClass))
    const failures = await db.read.$count(webhookAttempts, failed)
    if (failures > 0) throw new Error(`${failures} attempts failed`)
    const urls = sinks.map(({ url }) => url)
    const row = { ours: rate, unit: 'requests/s' as const }
    const least = name === 'SQLite' ? '300/s' : '1,000/s'
    return [
      {
        ...row,
        name: `webhook deliveries on ${name}`,
        reference: await bareRate(urls, false),
        referenceName: 'bare requests, each over a new connection',
        goal: `${least} and 0.5 of bare requests`,
      },
      {
        ...row,
        name: 'the same',
        reference: await bareRate(urls, true),
        referenceName: 'bare requests over kept connections',
        goal: 'none: they write nothing',
      },
      {
        name: `first attempt after the commit on ${name}, p99`,
        ours: p99,
        reference: 1000,
        referenceName: 'the bound',
        unit: 'ms',
        goal: 'at most 1 s',
      },
    ]
  } finally {
    await it.service.stop(true)
    await Promise.all(sinks.map((sink) => sink.stop()))
    await db.close()
  }
}

/** As many bare requests at once to each receiver as the service makes. */
async function bareRate(urls: readonly string[], keepalive: boolean): Promise<number> {
  const run = async (each: number) => {
    const lane = async (url: string) => {
      for (let n = 0; n < each; n++)
        await fetch(url, { method: 'POST', body: 'x'.repeat(400), keepalive, tls: { rejectUnauthorized: false } })
    }
    await Promise.all(urls.flatMap((url) => Array.from({ length: 4 }, () => lane(url))))
  }
  await run(warmUp / 4)
  const begin = performance.now()
  await run(deliveries / urls.length / 4)
  return deliveries / ((performance.now() - begin) / 1000)
}

/** The rows of both databases. */
export async function webhooks(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-webhooks-'))
  const trust = trustSinks()
  const server = await startPostgres()
  try {
    const sqlite = await onDatabase('SQLite', { kind: 'sqlite', path: join(folder, 'svc.db') })
    const postgres = await onDatabase('Postgres', { kind: 'postgres', url: `${server.url}/postgres` })
    return [...sqlite, ...postgres]
  } finally {
    await server.stop()
    trust.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
