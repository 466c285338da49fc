/**
 * Delivers 10,000 webhooks with two servers of which one after the other is killed: `npm run kill-webhooks -- [--deliveries 10000]
 * [--kills 6] [--database sqlite|postgres|both] [--program PATH]`. Exit code 1 where a delivery is lost, where one has two ids, or
 * where an id comes with two bodies. It waits as long as the service says: what a killed server had taken is sent again within a minute.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { count, eq } from 'drizzle-orm'
import { clockOf } from '../db/clock.ts'
import { type DatabaseTarget, openDatabase } from '../db/open.ts'
import type { Database } from '../db/database.ts'
import { outboxTasks, tenants, webhookDeliveries } from '../db/tables.gen.ts'
import { recordEvent } from '../server/outbox/record.ts'
import { addApiKey, testKey } from '../test/fixtures/accounts.ts'
import { startPostgres } from '../test/fixtures/postgres.ts'
import { startReplica, type Replica } from '../test/fixtures/replica.ts'
import { startSink, trustSinks } from '../test/fixtures/sink.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    deliveries: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '6' },
    database: { type: 'string', default: 'both' },
    program: { type: 'string' },
  },
})
const receivers = 4
const events = Math.ceil(Number(values.deliveries) / receivers)
const kills = Number(values.kills)
const program = values.program === undefined ? undefined : [values.program]
const eventsAtOnce = 25
/** One answer of twenty is an error, so that retries are among what is cut off. */
const failsEach = 20
const longestMs = 20 * 60_000

async function tenantOf(db: Database): Promise<string> {
  const [tenant] = await db.read.select({ id: tenants.id }).from(tenants)
  return tenant?.id ?? ''
}

/** Writes the events while servers are killed: some of them while none reads. */
async function writeEvents(db: Database, tenantId: string, mayWrite: (written: number) => boolean): Promise<void> {
  for (let n = 0; n < events; n += eventsAtOnce) {
    while (!mayWrite(n)) await Bun.sleep(5)
    await db.inTransaction(async (tx) => {
      for (let m = n; m < Math.min(events, n + eventsAtOnce); m++)
        await recordEvent({ wakeReaders: () => {} }, tx, {
          tenantId,
          type: 'version.retired',
          subjectId: String(m),
          payload: { project_id: 'p', project_slug: 'p', version_id: String(m), label: `1.${m}.0` },
          at: clockOf().iso(),
        })
    })
  }
}

async function run(target: DatabaseTarget, folder: string, authority: string): Promise<boolean> {
  const env = {
    HOME: folder,
    SVC_WORKSPACE: folder,
    SVC_MCP_HTTP_PORT: '0',
    SVC_EGRESS_ALLOW: '127.0.0.0/8,::1/128',
    SVC_EGRESS_CA: authority,
    SVC_SECRET_KEY: testKey,
    SVC_WEBHOOK_SCHEDULE: '0s,1s,1s,1s,2s,2s,2s,2s,2s,2s',
    ...(target.kind === 'postgres' ? { SVC_DATABASE_URL: target.url } : {}),
  }
  const start = (): Promise<Replica> => startReplica(folder, env, program)
  const replicas = [await start(), await start()]
  const db = await openDatabase(target)
  let answers = 0
  const sinks = Array.from({ length: receivers }, () =>
    startSink(() => new Response(null, { status: ++answers % failsEach === 0 ? 500 : 204 })),
  )
  const received = () => sinks.reduce((sum, sink) => sum + sink.received.length, 0)
  const begin = performance.now()
  let killed = 0
  try {
    const tenantId = await tenantOf(db)
    const key = await addApiKey(db, tenantId)
    for (const [n, { url }] of sinks.entries()) {
      const body = JSON.stringify({ url: `${url}/${n}`, signingSecret: 'a signing secret of the proof' })
      const headers = { 'content-type': 'application/json', 'x-api-key': key }
      const at = `${replicas[0]?.url}/v1/push-webhook-subscriptions/local`
      const answer = await fetch(at, { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(await answer.text())
    }
    const total = events * receivers
    // Not all at once: otherwise a server could fan out everything before the first one is killed.
    const writing = writeEvents(db, tenantId, (written) => written * receivers < received() + total / 5)
    for (killed = 0; killed < kills;) {
      while (received() < (total * (killed + 1)) / (kills + 2)) await Bun.sleep(2)
      const victim = replicas[killed % 2]
      victim?.process.kill('SIGKILL')
      await victim?.process.exited
      replicas[killed % 2] = await start()
      killed += 1
    }
    await writing
    const delivered = () => db.read.$count(webhookDeliveries, eq(webhookDeliveries.status, 'delivered'))
    while ((await delivered()) < total && performance.now() - begin < longestMs) await Bun.sleep(250)
    const seconds = (performance.now() - begin) / 1000
    const rows = await db.read
      .select({ id: webhookDeliveries.id, eventId: webhookDeliveries.eventId, of: webhookDeliveries.subscriptionId })
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.status, 'delivered'))
    const [left] = await db.read.select({ n: count() }).from(outboxTasks).where(eq(outboxTasks.reader, 'webhooks'))
    const bodies = new Map<string, Set<string>>()
    for (const { headers, body } of sinks.flatMap((sink) => sink.received)) {
      const id = headers['webhook-id'] ?? ''
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
    }
    const failures = Math.floor(answers / failsEach)
    const said = {
      database: target.kind,
      deliveries: total,
      killed,
      delivered: rows.length,
      lost: total - rows.filter(({ id }) => bodies.has(id)).length,
      'ids without a delivery': [...bodies.keys()].filter((id) => !rows.some((row) => row.id === id)).length,
      'deliveries of one event twice': rows.length - new Set(rows.map((row) => `${row.eventId} ${row.of}`)).size,
      'ids with two bodies': [...bodies.values()].filter(({ size }) => size > 1).length,
      'events left': left?.n ?? 0,
      'requests that came twice (same id)': received() - failures - total,
      seconds: Math.round(seconds),
    }
    console.log(JSON.stringify(said, null, 2))
    const { delivered: arrived, lost, 'events left': waiting } = said
    const wrong = [lost, waiting, said['ids without a delivery'], said['deliveries of one event twice']]
    return arrived === total && [...wrong, said['ids with two bodies']].every((n) => n === 0)
  } finally {
    for (const replica of replicas) replica.process.kill('SIGKILL')
    await Promise.all(sinks.map((sink) => sink.stop()))
    await db.close()
  }
}

const trust = trustSinks()
let isRight = true
for (const kind of ['sqlite', 'postgres'] as const) {
  if (values.database !== 'both' && values.database !== kind) continue
  const folder = mkdtempSync(join(tmpdir(), 'svc-kill-webhooks-'))
  const server = kind === 'postgres' ? await startPostgres() : null
  const target: DatabaseTarget =
    server === null
      ? { kind: 'sqlite', path: join(folder, 'svc.db') }
      : { kind: 'postgres', url: `${server.url}/postgres` }
  try {
    isRight = (await run(target, folder, trust.file)) && isRight
  } finally {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
trust.end()
process.exit(isRight ? 0 : 1)
