/** A time in which the process answered nobody is seen, with the operation that made it. */
import { expect, test } from 'bun:test'
import { createLogger } from '../../../server/operations/log.ts'
import { createMetrics } from '../../../server/operations/metrics.ts'
import { observeWith } from '../../../server/operations/observe.ts'
import { watchLoop, type Stall } from '../../../server/operations/watchdog.ts'
import { runLoop } from '../../../server/loop/loop.ts'

const spin = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end;);
}

const logger = createLogger({ level: 'silent', write: () => {} })

test('a request that computes for 300 ms is named, one that waits so long is not', async () => {
  const stalls: Stall[] = []
  const watch = watchLoop((stall) => stalls.push(stall))
  const observe = observeWith({ logger, metrics: null, tracing: null })
  const ask = (route: string, run: () => Promise<void>, method = 'GET') =>
    observe({ request: new Request('http://localhost/', { method }), requestId: 'r', route: () => route }, async () => {
      await run()
      return new Response('x')
    })
  await Bun.sleep(60)
  await Promise.all([ask('/v1/patient', () => Bun.sleep(400)), ask('/v1/{greedy}', async () => spin(300), 'PURGE')])
  await Bun.sleep(60)
  watch.stop()
  const [first] = stalls
  expect(first?.operations).toEqual(['other /v1/{greedy}', 'GET /v1/patient'])
  expect(first?.ms).toBeGreaterThanOrEqual(200)
  expect(first?.cpuMs).toBeGreaterThan(0)
})

test('background work is named by its kind', async () => {
  const stalls: Stall[] = []
  const watch = watchLoop((stall) => stalls.push(stall))
  await Bun.sleep(60)
  const stop = new AbortController()
  let left = 1
  const loop = runLoop(
    {
      claim: async (begin) => {
        if (left-- <= 0) return 0
        begin(null, 'job import', async () => spin(300))
        return 1
      },
      pollMs: 1000,
      onFault: () => {},
    },
    stop.signal,
  )
  await Bun.sleep(400)
  stop.abort()
  await loop.done
  watch.stop()
  expect(stalls[0]?.operations).toEqual(['job import'])
})

test('stalls are counted by operation', async () => {
  const metrics = await createMetrics('1')
  metrics.stalled({ operation: 'GET /v1/specs', seconds: 0.5 })
  metrics.stalled({ operation: 'GET /v1/specs', seconds: 0.25 })
  const text = await metrics.text()
  expect(text.split('\n').filter((line) => line.startsWith('svc_event_loop_stall'))).toEqual([
    'svc_event_loop_stalls_total{operation="GET /v1/specs"} 2',
    'svc_event_loop_stalled_seconds_total 0.75',
  ])
})
