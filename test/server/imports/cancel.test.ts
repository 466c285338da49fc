import { afterAll, beforeAll, expect, test } from 'bun:test'
import { count } from 'drizzle-orm'
import { importsApi, type ImportRequest } from '../../../src/api/imports.ts'
import type { Database } from '../../../db/database.ts'
import { importUploads, versions } from '../../../db/tables.gen.ts'
import { packTarGz } from '../../fixtures/archives.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

const api = (title: string): string => `openapi: 3.1.0\ninfo: { title: ${title}, version: 1.0.0 }\npaths: {}\n`

onBothEngines('cancelling imports', (makeDb) => {
  let it: TestService
  let db: Database
  beforeAll(async () => {
    db = await makeDb()
    it = await startService(db, { egressAllow: '127.0.0.1/32' })
  })
  afterAll(() => it.service.stop())

  const create = (body: ImportRequest) => it.call(importsApi.create, { params: { tenant_slug: it.tenant }, body })
  const read = (id: string) => it.call(importsApi.get, { params: { job_id: id } })
  const cancel = (id: string) => it.call(importsApi.cancel, { params: { job_id: id } })
  const waitFor = async (id: string, done: (job: Awaited<ReturnType<typeof read>>) => boolean) => {
    for (let n = 0; n < 2000; n++) {
      const job = await read(id)
      if (done(job)) return job
      await Bun.sleep(5)
    }
    throw new Error('it never came to that')
  }
  const stored = async () => (await db.read.select({ n: count() }).from(versions))[0]?.n ?? 0

  test('while it waits for an address: the connection is closed', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        request.signal.addEventListener('abort', () => resolve())
        return new Promise<Response>(() => {})
      },
    })
    const job = await create({ source: { kind: 'url', url: `http://127.0.0.1:${server.port}/api.yaml` } })
    await waitFor(job.job_id, ({ phase }) => phase === 'fetching')
    expect((await cancel(job.job_id)).status).toBe('cancelled')
    await it.service.stop()
    await closed
    it = await startService(db, { egressAllow: '127.0.0.1/32' })
    expect([(await read(job.job_id)).status, await stored()]).toEqual(['cancelled', 0])
    await server.stop(true)
  })

  test('in the middle of many: those that are done stand, no other follows', async () => {
    const entries = Array.from({ length: 300 }, (_, n) => ({ path: `${n}.yaml`, content: api(`Api ${n}`) }))
    const content_base64 = Buffer.from(packTarGz(entries)).toString('base64')
    const job = await create({ source: { kind: 'archive', name: 'many.tgz', content_base64 }, bulk: true })
    const seen = await waitFor(job.job_id, ({ items }) => items.length > 1)
    expect([seen.progress.total, seen.progress.done >= 1]).toEqual([300, true])
    const cancelled = await cancel(job.job_id)
    const after = await stored()
    expect(cancelled.status).toBe('cancelled')
    expect(await db.read.select().from(importUploads)).toEqual([])
    await it.service.stop()
    const left = await read(job.job_id)
    expect([left.status, left.items.length, left.items.length < 300]).toEqual(['cancelled', await stored(), true])
    expect(await stored()).toBe(after)
    expect(it.faults).toEqual([])
  }, 60_000)

  test('one that has ended stays as it is', async () => {
    it = await startService(db)
    const job = await create({ source: { kind: 'inline', content: api('Done') } })
    await waitFor(job.job_id, ({ finished_at }) => finished_at !== null)
    expect((await cancel(job.job_id)).status).toBe('completed')
  })
})
