import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { createLogger } from '../../../server/operations/log.ts'
import { observeWith } from '../../../server/operations/observe.ts'
import { parseTraceparent, startTracing } from '../../../server/operations/tracing.ts'
import { SvcError } from '../../../src/errors.ts'

interface Exported {
  readonly resource: Record<string, unknown>
  readonly spans: {
    name: string
    traceId: string
    spanId: string
    parentSpanId?: string
    kind: number
    status?: { code?: number; message?: string }
    attributes: Record<string, unknown>
  }[]
}
interface Attribute {
  readonly key: string
  readonly value: Record<string, unknown>
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** A collector on loopback that keeps what was sent to it. */
let collector: ReturnType<typeof Bun.serve>
let received: { path: string; auth: string | null; exported: Exported }[] = []
beforeAll(() => {
  collector = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = (await request.json()) as {
        resourceSpans: {
          resource: { attributes: Attribute[] }
          scopeSpans: { spans: (Exported['spans'][number] & { attributes: Attribute[] })[] }[]
        }[]
      }
      for (const { resource, scopeSpans } of body.resourceSpans)
        received.push({
          path: new URL(request.url).pathname,
          auth: request.headers.get('x-tenant'),
          exported: {
            resource: valuesOf(resource.attributes),
            spans: scopeSpans.flatMap(({ spans }) =>
              spans.map((span) => ({ ...span, attributes: valuesOf(span.attributes) })),
            ),
          },
        })
      return Response.json({})
    },
  })
})
afterAll(() => collector.stop(true))
beforeEach(() => {
  received = []
})

/** The exporter reads its variables from the process itself. */
async function withEnvironment<T>(
  variables: Record<string, string>,
  run: (environment: NodeJS.ProcessEnv) => Promise<T>,
): Promise<T> {
  Object.assign(process.env, variables)
  try {
    return await run(process.env)
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
  }
}

test('without the standard variables nothing is started', async () => {
  expect(await startTracing({}, '1')).toBeNull()
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  expect(await startTracing({ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }, '1')).toBeNull()
  expect(await startTracing({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, '1')).toBeNull()
  for (const wrong of [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, { OTEL_TRACES_SAMPLER: 'sometimes' }]) {
    const refused = await startTracing({ ...endpoint, ...wrong }, '1').catch((error: unknown) => error)
    expect(refused instanceof SvcError && refused.code).toBe('usage')
  }
})

test('a request becomes a server span with its inner spans, under the trace of its caller', async () => {
  const spans = await withEnvironment(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme',
      OTEL_SERVICE_NAME: 'svc-test',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=a%20b,service.name=other',
    },
    async (environment) => {
      const tracing = await startTracing(environment, '9.9.9')
      if (!tracing) throw new Error('tracing did not start')
      const lines: string[] = []
      const observe = observeWith({
        logger: createLogger({ level: 'info', write: (line) => lines.push(line) }),
        metrics: null,
        tracing,
      })
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      const request = new Request('http://localhost/v1/x/1?api_key=hidden', { headers: { traceparent } })
      await observe({ request, requestId: 'r7', route: () => '/v1/x/{id}' }, () =>
        tracing.span({ name: 'inner', kind: 'internal' }, async (span) => {
          span.set({ rows: 3 })
          return new Response('', { status: 503 })
        }),
      )
      const thrown = await tracing
        .span({ name: 'job', kind: 'internal' }, () =>
          Promise.reject(new SvcError('format-unknown', { source: 'hidden' })),
        )
        .catch((error: unknown) => error)
      expect(thrown).toBeInstanceOf(SvcError)
      await tracing.shutdown(5000)
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ trace_id: '0af7651916cd43dd8448eb211c80319c' })
      return received.flatMap(({ exported }) => exported.spans)
    },
  )
  expect(received.map(({ path, auth, exported }) => [path, auth, exported.resource])).toEqual([
    ['/v1/traces', 'acme', { 'service.name': 'svc-test', 'deployment.environment': 'a b', 'service.version': '9.9.9' }],
  ])
  const named = new Map(spans.map((span) => [span.name, span]))
  const outer = named.get('GET /v1/x/{id}')
  expect([...named.keys()].sort()).toEqual(['GET /v1/x/{id}', 'inner', 'job'])
  expect(outer).toMatchObject({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: 'b7ad6b7169203331',
    kind: 2,
    status: { code: 2, message: '503' },
    attributes: {
      'http.request.method': 'GET',
      'url.path': '/v1/x/1',
      'http.route': '/v1/x/{id}',
      'svc.request_id': 'r7',
      'http.response.status_code': 503,
    },
  })
  expect(named.get('inner')).toMatchObject({ parentSpanId: outer?.spanId ?? '', attributes: { rows: 3 } })
  expect(named.get('job')).toMatchObject({ status: { code: 2, message: 'format-unknown' } })
  expect(named.get('job')?.traceId).not.toBe(outer?.traceId ?? '')
  expect(JSON.stringify(received)).not.toContain('hidden')
})

test('a sampler that is off exports nothing', async () => {
  await withEnvironment(
    { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`, OTEL_TRACES_SAMPLER: 'always_off' },
    async (environment) => {
      const tracing = await startTracing(environment, '1')
      await tracing?.span({ name: 'x', kind: 'internal' }, async () => null)
      await tracing?.shutdown(5000)
    },
  )
  expect(received).toEqual([])
})

test('a traceparent is read as its standard says', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c'
  const span = 'b7ad6b7169203331'
  const read = (header: string | null) => parseTraceparent(header)?.traceFlags ?? null
  expect(read(`00-${trace}-${span}-01`)).toBe(1)
  expect(read(`00-${trace}-${span}-00`)).toBe(0)
  expect(read(`01-${trace}-${span}-03-more`)).toBe(1)
  for (const wrong of [
    null,
    '',
    `ff-${trace}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
  ])
    expect(read(wrong)).toBeNull()
})
