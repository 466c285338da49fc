/** Metrics of the event loop, the database and the disk. */
import { tmpdir } from 'node:os'
import { expect, test } from 'bun:test'
import { tenants } from '../../../db/tables.gen.ts'
import { observeStatements, statementsRunning } from '../../../db/statements.ts'
import { createMetrics } from '../../../server/operations/metrics.ts'
import { showStorage } from '../../../server/operations/storage.ts'
import { watchLoop } from '../../../server/operations/watchdog.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const valueOf = (text: string, name: string): number | null => {
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)
  return found === null ? null : Number(found[1])
}

onBothEngines('statements', (makeDb) => {
  test('each is timed, and counted while it runs', async () => {
    const db = await makeDb()
    const seconds: number[] = []
    observeStatements((took) => seconds.push(took))
    try {
      const asked = Array.from({ length: 5 }, async () => db.read.select().from(tenants))
      await Bun.sleep(0)
      const most = statementsRunning()
      await Promise.all(asked)
      expect([most <= 5, statementsRunning(), seconds.length]).toEqual([true, 0, 5])
      expect(seconds.every((took) => took > 0)).toBe(true)
    } finally {
      observeStatements(null)
    }
  })
})

test('connections are shown where there is a pool, room where there is a folder', async () => {
  const local = await createMetrics('1')
  showStorage(local, { poolSize: null, folder: tmpdir() })
  const text = await local.text()
  expect(valueOf(text, 'svc_storage_free_bytes')).toBeGreaterThan(0)
  expect(valueOf(text, 'svc_database_connections_limit')).toBeNull()
  const remote = await createMetrics('1')
  showStorage(remote, { poolSize: 12, folder: null })
  const other = await remote.text()
  expect([valueOf(other, 'svc_database_connections_limit'), valueOf(other, 'svc_storage_free_bytes')]).toEqual([
    12,
    null,
  ])
  const gone = await createMetrics('1')
  showStorage(gone, { poolSize: null, folder: '/nowhere/at/all' })
  expect(valueOf(await gone.text(), 'svc_storage_free_bytes')).toBeNull()
})

test('a loop that computes is late', async () => {
  const metrics = await createMetrics('1')
  const watch = watchLoop(() => {}, metrics.loopLooked)
  await Bun.sleep(60)
  for (const end = performance.now() + 120; performance.now() < end;);
  await Bun.sleep(60)
  watch.stop()
  const text = await metrics.text()
  const [looks, soon] = ['_count', '_bucket{le="0.05"}'].map((of) =>
    valueOf(text, `svc_event_loop_lag_seconds${of.replaceAll(/[{}"]/g, String.raw`\$&`)}`),
  )
  expect(Number(looks)).toBeGreaterThan(Number(soon))
})
