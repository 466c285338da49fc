/** Versions that were stored before the index had all that it has now become searchable by themselves, a part at a time. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { checkSearchIndex } from '../../../cli/doctor/database.ts'
import type { Database } from '../../../db/database.ts'
import type { ClaimedJob } from '../../../db/jobs.ts'
import { openDatabase } from '../../../db/open.ts'
import { contents, jobs, searchEntries, versionRules, versions } from '../../../db/tables.gen.ts'
import { indexState, queueReindex, reindexHandler } from '../../../server/specs/reindex.ts'
import { markIndexed } from '../../../server/search-index/entries.ts'
import { importsApi } from '../../../src/api/imports.ts'
import { searchApi } from '../../../src/api/search.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

const document = (title: string) => `openapi: 3.1.0
info: { title: ${title}, version: 1.0.0 }
paths: { /tickets: { get: { responses: { '200': { description: ok } } } } }
components: { schemas: { Ticket: { type: object } } }
`

/** Takes away what the index has of all versions, as it was in databases of before. */
const forget = (db: Database) =>
  db.inTransaction(async (tx) => {
    for (const table of [searchEntries, versionRules]) await tx.delete(table)
    await tx.update(versions).set({ indexGeneration: 0, indexProblem: null })
  })

async function tenantRow(db: Database) {
  const [row] = await db.read.select({ tenantId: versions.tenantId }).from(versions).limit(1)
  return row ?? { tenantId: '' }
}

async function ended(db: Database) {
  for (const end = Date.now() + 20_000; Date.now() < end; await Bun.sleep(20)) {
    const rows = await db.read
      .select()
      .from(jobs)
      .where(eq(jobs.kind, 'reindex'))
      .orderBy(asc(jobs.createdAt), asc(jobs.id))
    if (rows.length > 0 && rows.every(({ finishedAt }) => finishedAt !== null))
      return rows.map(({ status, result }) => ({ status, result }))
  }
  throw new Error('the versions were not indexed in time')
}

onBothEngines('indexing again', (makeDb) => {
  let db: Database
  let first: TestService
  let stop = (): Promise<void> => Promise.resolve()
  beforeAll(async () => {
    db = await makeDb()
    first = await startService(db)
    const it = first
    for (const title of ['One', 'Two', 'Three']) {
      const body = { source: { kind: 'inline' as const, name: 'a.yaml', content: document(title) } }
      const job = await it.call(importsApi.create, { params: { tenant_slug: 'local' }, body })
      await it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
    }
  })
  afterAll(() => stop())

  test('a job indexes a part and queues the next: others have their turn between them', async () => {
    await forget(db)
    const { deps } = first.service
    const { tenantId } = await tenantRow(db)
    const persist = await reindexHandler(deps, 2).run({
      job: { id: 'x', tenantId, payload: {} } as ClaimedJob,
      signal: new AbortController().signal,
      progress: () => Promise.resolve(),
      commit: (_, write) => db.inTransaction(write),
    })
    expect(await indexState(db.read)).toEqual({ total: 3, missing: 1, failed: 0 })
    expect(await db.inTransaction(persist)).toEqual({ status: 'completed', result: { indexed: 2, failed: 0 } })
    expect(await ended(db)).toEqual([{ status: 'completed', result: { indexed: 1, failed: 0 } }])
    expect(await indexState(db.read)).toEqual({ total: 3, missing: 0, failed: 0 })
    await first.service.stop()
    await db.inTransaction((tx) => tx.delete(jobs).where(eq(jobs.kind, 'reindex')))
  })

  test('begins when a server starts, goes on after what cannot be read, and ends', async () => {
    await forget(db)
    const [broken] = await db.read.select().from(versions).where(eq(versions.slug, '1.0.0')).limit(1)
    await db.inTransaction((tx) =>
      tx
        .update(contents)
        .set({ compressed: new Uint8Array([1, 2, 3]) })
        .where(eq(contents.digest, broken?.digest ?? '')),
    )
    expect(await indexState(db.read)).toEqual({ total: 3, missing: 3, failed: 0 })
    // Two processes that start at once queue one job.
    expect([await queueReindex(db, 0), await queueReindex(db, 0)]).toEqual([1, 0])
    const it = await startService(db)
    stop = () => it.service.stop()
    it.service.deps.wake()
    expect(await ended(db)).toEqual([{ status: 'completed_with_warnings', result: { indexed: 2, failed: 1 } }])
    expect(await indexState(db.read)).toEqual({ total: 3, missing: 0, failed: 1 })
    const found = await it.call(searchApi.find, { params: { tenant_slug: 'local' }, query: { q: 'ticket' } })
    expect([found.operations.length, found.schemas.length, found.not_indexed]).toEqual([2, 2, 0])
  })
})

test('svc doctor says how many versions cannot be searched yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'))
  const target = { kind: 'sqlite' as const, path: join(folder, 'svc.db') }
  expect(await checkSearchIndex(target)).toEqual([])
  const db = await openDatabase(target)
  expect(await checkSearchIndex(target)).toEqual([])
  const it = await startService(db)
  const body = { source: { kind: 'inline' as const, name: 'a.yaml', content: document('One') } }
  const job = await it.call(importsApi.create, { params: { tenant_slug: 'local' }, body })
  await it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
  const said = async () => (await checkSearchIndex(target)).map(({ status, message }) => `${status}: ${message}`)
  expect(await said()).toEqual(['pass: 1 version can be searched'])
  await it.service.stop()
  await forget(db)
  expect(await said()).toEqual(['warn: 1 of 1 version cannot be searched yet'])
  await db.inTransaction(async (tx) => {
    const [row] = await tx.select().from(versions)
    if (row !== undefined) await markIndexed(tx, row, 'It cannot be read.')
  })
  expect(await said()).toEqual(['warn: 1 version of 1 cannot be searched: their documents cannot be read'])
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})
