import { expect, test } from 'bun:test'
import { createLogger } from '../../../server/operations/log.ts'
import { createMetrics } from '../../../server/operations/metrics.ts'
import { observeWith } from '../../../server/operations/observe.ts'

async function observed() {
  const lines: Record<string, unknown>[] = []
  const logger = createLogger({
    level: 'info',
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  })
  const metrics = await createMetrics('1.2.3')
  return { lines, metrics, observe: observeWith({ logger, metrics, tracing: null }) }
}

const facts = (url: string, route: string | null, method = 'GET') => ({
  request: new Request(`http://localhost${url}`, { method }),
  requestId: 'r1',
  route: () => route,
})

test('a request gives one line without its query, and one count by route template', async () => {
  const { lines, metrics, observe } = await observed()
  await observe(
    facts('/v1/schema/acme/pets/1.0?api_key=hidden', '/v1/schema/{a}/{b}/{c}'),
    async () => new Response('x'),
  )
  await observe(facts('/nothing', null, 'PURGE'), async () => new Response('x', { status: 404 }))
  expect(lines.map((line): unknown => ({ ...line, time: '', duration_ms: typeof line.duration_ms }))).toEqual([
    {
      level: 'info',
      message: 'request',
      request_id: 'r1',
      method: 'GET',
      route: '/v1/schema/{a}/{b}/{c}',
      path: '/v1/schema/acme/pets/1.0',
      status: 200,
      time: '',
      duration_ms: 'number',
    },
    {
      level: 'info',
      message: 'request',
      request_id: 'r1',
      method: 'PURGE',
      route: null,
      path: '/nothing',
      status: 404,
      time: '',
      duration_ms: 'number',
    },
  ])
  const text = await metrics.text()
  expect(text).toContain('svc_http_requests_total{method="GET",route="/v1/schema/{a}/{b}/{c}",status="200"} 1')
  expect(text).toContain('svc_http_requests_total{method="other",route="unmatched",status="404"} 1')
  expect(text).toContain('svc_http_request_duration_seconds_count{method="GET",route="/v1/schema/{a}/{b}/{c}"} 1')
  expect(text).toContain('svc_http_requests_in_flight 0')
  expect(text).toContain('svc_build_info{version="1.2.3"} 1')
  expect(text).toMatch(/process_resident_memory_bytes \d{7,}/)
})

test('a handler that throws is counted as 500 and the throw passes on', async () => {
  const { lines, metrics, observe } = await observed()
  const run = () => observe(facts('/v1/x', '/v1/x'), () => Promise.reject(new Error('broken')))
  expect(run()).rejects.toThrow('broken')
  await Bun.sleep(0)
  expect(lines.map((line) => [line.level, line.status])).toEqual([['error', 500]])
  expect(await metrics.text()).toContain('svc_http_requests_total{method="GET",route="/v1/x",status="500"} 1')
})

test('jobs and gauges are read when the metrics are', async () => {
  const { metrics } = await observed()
  metrics.jobEnded({ kind: 'import', outcome: 'completed', seconds: 0.3 })
  let waiting = new Map([['import', 2]])
  metrics.gauge('svc_jobs_waiting', 'Jobs that wait.', 'kind', async () => waiting)
  expect(await metrics.text()).toContain('svc_jobs_waiting{kind="import"} 2')
  waiting = new Map()
  const text = await metrics.text()
  expect(text).not.toContain('svc_jobs_waiting{')
  expect(text).toContain('svc_jobs_total{kind="import",outcome="completed"} 1')
})
