import { expect, test } from 'bun:test'
import { enqueueJob } from '../../../db/jobs.ts'
import { importUploadParts } from '../../../db/tables.gen.ts'
import { prepareUpload, readUpload, removeUpload, storeUpload } from '../../../server/imports/stored-uploads.ts'
import { plansWith } from '../../../server/license/plans.ts'
import { assertStorageRoom, bytesOf } from '../../../server/license/quota.ts'
import { SvcError } from '../../../src/errors.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject } from '../../fixtures/pets-project.ts'

onBothEngines('what a tenant may have waiting', (makeDb) => {
  test('a thousand jobs, and then no more until one has ended', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const later = Date.now() + 3_600_000
    await db.inTransaction(async (tx) => {
      for (let n = 0; n < 1000; n++)
        await enqueueJob(tx, { kind: 'import', tenantId: it.tenantId, payload: {}, now: Date.now(), runAfter: later })
    })
    const body = { source: { kind: 'inline', name: 'a.json', content: '{}' } }
    const { status, value, headers } = await it.send('POST', '/v1/tenants/local/imports', body)
    expect([status, value.detail?.code, headers.get('retry-after')]).toEqual([429, 'jobs-exceeded', '30'])
    expect(await it.brief('POST', '/v1/style-guides/local/relints', {})).toStartWith('429')
    expect(await bytesOf(db.read, it.tenantId)).toBe(0)
    await it.service.stop()
  })

  test('an upload of several megabytes is kept in parts, read whole, and forgotten with them', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const bytes = Buffer.concat(Array.from({ length: 40 }, () => crypto.getRandomValues(new Uint8Array(65_536))))
    const at = new Date().toISOString()
    const upload = await prepareUpload(db, it.tenantId, bytes)
    const job = await db.inTransaction(async (tx) => {
      const queued = { kind: 'other', tenantId: it.tenantId, payload: {}, now: Date.now() }
      const made = await enqueueJob(tx, queued)
      await storeUpload(tx, made.job, upload, at)
      return made.job
    })
    const parts = await db.read.select().from(importUploadParts).orderBy(importUploadParts.ordinal)
    expect(parts.map(({ jobId, ordinal }) => [jobId, ordinal])).toEqual([
      [job.id, 1],
      [job.id, 2],
    ])
    expect(Buffer.compare(await readUpload(db, it.tenantId, job.id), bytes)).toBe(0)
    await db.inTransaction((tx) => removeUpload(tx, it.tenantId, job.id))
    expect(await db.read.select().from(importUploadParts)).toEqual([])
    await it.service.stop()
  })

  test('bytes that wait count as stored, until their job has ended', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const plans = { ...plansWith({}), local: plansWith({ storage_bytes: 1500 }).free }
    const room = (more: number) =>
      db.inTransaction((tx) => assertStorageRoom(tx, plans, it.tenantId, more)).catch((error: SvcError) => error.code)
    expect(await room(1500)).toBeUndefined()
    const thousand = await prepareUpload(db, it.tenantId, new Uint8Array(1000))
    await db.inTransaction(async (tx) => {
      const queued = { kind: 'other', tenantId: it.tenantId, payload: {}, now: Date.now() }
      const { job } = await enqueueJob(tx, queued)
      await storeUpload(tx, job, thousand, new Date().toISOString())
    })
    expect(await bytesOf(db.read, it.tenantId)).toBe(1000)
    expect([await room(500), await room(501)]).toEqual([undefined, 'quota-exceeded'])
    await it.service.stop()
  })
})
