/** A trace continues from a request through its statements into the job that it asked for, and what that asks of others. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, expect, test } from 'bun:test'
import { clockOf } from '../../../db/clock.ts'
import { enqueueJob, findJob } from '../../../db/jobs.ts'
import { tenants } from '../../../db/tables.gen.ts'
import { guardedFetch } from '../../../server/egress/guard.ts'
import { parseNetworks } from '../../../server/egress/door.ts'
import { defineJob } from '../../../server/jobs/define.ts'
import { startWorker } from '../../../server/jobs/worker.ts'
import { createLogger } from '../../../server/operations/log.ts'
import { inSpan, type Tracer, traceHere, traceWith } from '../../../src/kernel/span.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

interface Seen {
  readonly name: string
  readonly trace: string
  readonly parent: string | null
  readonly attributes: Record<string, unknown>
}

/** Keeps spans; their ids count from 1. */
function keeper(): { readonly tracer: Tracer; readonly spans: Seen[] } {
  const around = new AsyncLocalStorage<{ trace: string; id: string }>()
  const spans: Seen[] = []
  let last = 0
  const hex = (length: number) => (last += 1).toString(16).padStart(length, '0')
  const tracer: Tracer = {
    here() {
      const span = around.getStore()
      return span === undefined ? null : `00-${span.trace}-${span.id}-01`
    },
    async span({ name, attributes = {}, traceparent = null }, work) {
      const [, trace = null, parent = null] = (tracer.here() ?? traceparent ?? '').split('-')
      const own = { trace: trace ?? hex(32), id: hex(16) }
      const seen = { name, trace: own.trace, parent, attributes: { ...attributes } }
      spans.push(seen)
      return around.run(own, () =>
        work({
          traceId: own.trace,
          set: (more) => void Object.assign(seen.attributes, more),
          rename: () => {},
          fail: () => {},
        }),
      )
    },
  }
  return { tracer, spans }
}

afterEach(() => traceWith(null))

const at = '2026-05-05T00:00:00.000Z'

onBothEngines('traces', (makeDb) => {
  test('a job belongs to the trace of the request that asked for it; its statements and requests are spans in it', async () => {
    const db = await makeDb()
    await db.inTransaction((tx) =>
      tx.insert(tenants).values({ id: 't1', slug: 't1', name: 'T', settings: {}, createdAt: at, updatedAt: at }),
    )
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('', { status: 204 }) })
    const { tracer, spans } = keeper()
    traceWith(tracer)
    const lines: string[] = []
    const logger = createLogger({ level: 'info', write: (line) => lines.push(line) })
    const greet = defineJob<object, unknown>('greet').handle(async () => {
      logger.info('greeting')
      await guardedFetch(`http://127.0.0.1:${other.port}/secret-path`, {
        allow: parseNetworks('127.0.0.1/32'),
        timeoutMs: 5000,
        maxBytes: 10,
        maxRedirects: 0,
      })
      return async () => ({ status: 'completed' })
    })
    const clock = clockOf()
    const id = await inSpan({ name: 'POST /v1/x', kind: 'server' }, () =>
      db.inTransaction(async (tx) => {
        const made = await enqueueJob(tx, { kind: 'greet', tenantId: 't1', payload: {}, now: clock.now() })
        return made.job.id
      }),
    )
    const stop = new AbortController()
    const worker = startWorker({ db, handlers: [greet], signal: stop.signal, clock, pollMs: 5 })
    while ((await findJob(db.read, id))?.status !== 'completed') await Bun.sleep(5)
    stop.abort()
    await worker.done
    await other.stop(true)
    const [request] = spans
    const job = spans.find(({ name }) => name === 'job greet')
    expect([request?.name, job?.trace === request?.trace, job?.parent !== null]).toEqual(['POST /v1/x', true, true])
    expect(new Set(spans.map(({ trace }) => trace)).size).toBe(1)
    const inserted = spans.find(({ name }) => name === 'INSERT')
    expect(inserted?.attributes['db.system.name']).toBe(db.dialect === 'sqlite' ? 'sqlite' : 'postgresql')
    expect(inserted?.attributes['db.query.text']).toContain('insert into "jobs"')
    expect(spans.find(({ name }) => name === 'GET')?.attributes).toEqual({
      'http.request.method': 'GET',
      'url.scheme': 'http',
      'server.address': '127.0.0.1',
      'http.response.status_code': 204,
    })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message: 'greeting', trace_id: request?.trace ?? '' })
    expect(JSON.stringify(spans)).not.toContain('secret-path')
  })
})

test('without a tracer work runs as it is, and belongs to no trace', async () => {
  expect(await inSpan({ name: 'x', kind: 'internal' }, async (span) => [span, traceHere()])).toEqual([null, null])
})

test('what is inner is no span outside of any, so that looking for work makes no traces', async () => {
  const { tracer, spans } = keeper()
  traceWith(tracer)
  await inSpan({ name: 'SELECT', kind: 'client', isInner: true }, async () => null)
  await inSpan({ name: 'outer', kind: 'internal' }, () =>
    inSpan({ name: 'SELECT', kind: 'client', isInner: true }, async () => null),
  )
  expect(spans.map(({ name }) => name)).toEqual(['outer', 'SELECT'])
})
