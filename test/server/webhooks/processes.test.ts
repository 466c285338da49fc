/** Two `svc serve` processes deliver the events of one database; one of them is killed in the middle. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, count, eq } from 'drizzle-orm'
import { clockOf } from '../../../db/clock.ts'
import type { Database } from '../../../db/database.ts'
import { allTables } from '../../../db/backup/copy-rows.ts'
import { type DatabaseTarget, openDatabase } from '../../../db/open.ts'
import { outboxTasks, tenants, webhookAttempts, webhookDeliveries } from '../../../db/tables.gen.ts'
import { recordEvent } from '../../../server/outbox/record.ts'
import { addApiKey, testKey } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startReplica, type Replica } from '../../fixtures/replica.ts'
import { startSink, trustSinks, type Sink } from '../../fixtures/sink.ts'

const base = '/v1/push-webhook-subscriptions/local'
const planted = 'planted-signing-secret-0123456789'
const events = 120
const receivers = 4

onBothEngines('deliveries of two servers', (makeDb) => {
  const trust = trustSinks()
  const replicas: Replica[] = []
  const sinks: Sink[] = []
  let folder = ''
  let db: Database
  let env: Record<string, string> = {}

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-deliveries-'))
    const target: DatabaseTarget =
      makeDb.dialect === 'sqlite' ? { kind: 'sqlite', path: join(folder, 'svc.db') } : await makeDb.makeEmptyTarget()
    env = {
      HOME: folder,
      SVC_WORKSPACE: folder,
      SVC_MCP_HTTP_PORT: '0',
      SVC_EGRESS_ALLOW: '127.0.0.0/8,::1/128',
      SVC_EGRESS_CA: trust.file,
      SVC_SECRET_KEY: testKey,
      SVC_WEBHOOK_SCHEDULE: '0s,1s,1s,1s,1s,1s',
      ...(target.kind === 'postgres' ? { SVC_DATABASE_URL: target.url } : {}),
    }
    replicas.push(...(await Promise.all([startReplica(folder, env), startReplica(folder, env)])))
    db = await openDatabase(target)
  }, 60_000)
  afterAll(async () => {
    for (const replica of replicas) replica.process.kill('SIGKILL')
    await Promise.all(replicas.map((replica) => replica.process.exited))
    await Promise.all(sinks.map((sink) => sink.stop()))
    await db.close()
    trust.end()
    rmSync(folder, { recursive: true, force: true })
  })

  test('none is lost when one is killed, what comes twice has the same id, and the secret appears nowhere', async () => {
    const [first, second] = replicas as [Replica, Replica]
    const [tenant] = await db.read.select({ id: tenants.id }).from(tenants)
    const tenantId = tenant?.id ?? ''
    const key = await addApiKey(db, tenantId)
    const ask = async (replica: Replica, path: string, init: RequestInit = {}) => {
      const headers = { 'content-type': 'application/json', 'x-api-key': key }
      return (await fetch(replica.url + path, { ...init, headers })).text()
    }
    const answers: string[] = []
    let failed = 0
    for (let n = 0; n < receivers; n++) {
      // Each tenth attempt fails, and every delivery takes a moment.
      const sink = startSink(async ({ at }) => {
        await Bun.sleep(3)
        if (at % 10 !== 0) return new Response(null, { status: 204 })
        failed += 1
        return new Response(null, { status: 500 })
      })
      sinks.push(sink)
      const body = JSON.stringify({ url: `${sink.url}/${n}`, signingSecret: planted })
      answers.push(await ask(n % 2 === 0 ? first : second, base, { method: 'POST', body }))
    }
    const deps = { wakeReaders: () => {} }
    for (let n = 0; n < events; n++)
      await db.inTransaction((tx) =>
        recordEvent(deps, tx, {
          tenantId,
          type: 'version.retired',
          subjectId: String(n),
          payload: { project_id: 'p', project_slug: 'p', version_id: String(n), label: `1.${n}.0` },
          at: clockOf().iso(),
        }),
      )
    const received = () => sinks.reduce((sum, sink) => sum + sink.received.length, 0)
    for (let n = 0; n < 2000 && received() < (events * receivers) / 4; n++) await Bun.sleep(10)
    first.process.kill('SIGKILL')
    await first.process.exited
    expect(received()).toBeLessThan(events * receivers)
    // What the dead had taken is due again within a minute: this is that minute.
    const taken = and(eq(webhookDeliveries.tenantId, tenantId), eq(webhookDeliveries.status, 'delivering'))
    const past = { dueAt: '2026-01-01T00:00:00.000Z' }
    await db.inTransaction((tx) => tx.update(webhookDeliveries).set(past).where(taken))
    const delivered = async () =>
      (await db.read.select().from(webhookDeliveries)).filter(({ status }) => status === 'delivered')
    for (let n = 0; n < 3000 && (await delivered()).length < events * receivers; n++) await Bun.sleep(20)
    const rows = await delivered()
    expect(rows.length).toBe(events * receivers)
    expect(await db.read.select({ n: count() }).from(outboxTasks).where(eq(outboxTasks.reader, 'webhooks'))).toEqual([
      { n: 0 },
    ])
    const got = new Map<string, Set<string>>()
    for (const { headers, body } of sinks.flatMap((sink) => sink.received)) {
      const id = headers['webhook-id'] ?? ''
      got.set(id, (got.get(id) ?? new Set()).add(body))
    }
    // Every delivery came, under its own id, and always with the same body.
    expect([...got.keys()].toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
    expect([...got.values()].every((bodies) => bodies.size === 1)).toBe(true)
    const attempts = await db.read.select().from(webhookAttempts)
    expect(attempts.filter(({ errorClass }) => errorClass === 'http-500').length).toBeLessThanOrEqual(failed)
    answers.push(await ask(second, base), await ask(second, `${base}/deliveries/dead-letter`))
    second.process.kill('SIGTERM')
    expect(await second.process.exited).toBe(0)
    const dump = []
    for (const table of allTables) dump.push(JSON.stringify(await db.read.select().from(table)))
    const texts = [
      ...answers,
      ...dump,
      await first.log,
      await second.log,
      ...sinks.flatMap(({ received: all }) => all.map((it) => JSON.stringify(it))),
    ]
    expect(texts.filter((text) => text.includes(planted) || text.includes(testKey))).toEqual([])
  }, 120_000)
})
