import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { prepareContent, readCompressed, readContent, storeContent } from '../../../db/content.ts'
import type { Database } from '../../../db/database.ts'
import { claimObject, leastObjectBytes } from '../../../db/objects/objects.ts'
import { nameOf, sha256Of } from '../../../db/objects/store.ts'
import { contentParts, contents, objectRemovals, tenants } from '../../../db/tables.gen.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { noise, refused } from '../../fixtures/objects.ts'
import { startS3 } from '../../fixtures/s3-server.ts'
import { keep, otherId, storedAt, tenantId, withStore } from '../../fixtures/stored.ts'

const s3 = startS3()
afterAll(() => s3.stop())

onBothEngines('contents in a store', (makeDb) => {
  const open = async () => withStore(await makeDb(), s3)
  const rows = (db: Database) =>
    db.read.select({ object: contents.object, compressed: contents.compressed }).from(contents)

  test('what takes 16 kB or more as it is stored is an object, the rest stays in its row', async () => {
    const db = await open()
    const small = noise(leastObjectBytes - 100, 1)
    const large = noise(leastObjectBytes, 2)
    const digests = [await keep(db, small), await keep(db, large)]
    const [name] = [...s3.objects.keys()].map((key) => nameOf(key.slice('svc/'.length)))
    const frame = [...s3.objects.values()][0]!
    expect([s3.objects.size, name]).toEqual([1, { kind: 'contents', tenantId, sha256: sha256Of(frame) }])
    const stored = await rows(db)
    expect(stored.flatMap(({ object }) => object ?? [])).toEqual([sha256Of(frame)])
    expect(stored.find(({ object }) => object !== null)?.compressed.byteLength).toBe(0)
    expect(await readContent(db, tenantId, digests[0]!)).toEqual(small)
    expect(await readContent(db, tenantId, digests[1]!)).toEqual(large)
    expect(await readCompressed(db, tenantId, digests[1]!)).toEqual(frame)
  })

  test('organizations share no object, and bytes that are there are not put again', async () => {
    const db = await open()
    const large = noise(50_000, 3)
    await keep(db, large)
    await keep(db, large, otherId)
    expect([...s3.objects.keys()].map((key) => key.split('/')[2] ?? '').toSorted()).toEqual([tenantId, otherId])
    s3.requests.length = 0
    await keep(db, large)
    expect(s3.requests.filter((it) => it.startsWith('PUT'))).toEqual([])
  })

  test('a store that is away refuses before anything is written, and leaves what is in rows alone', async () => {
    const db = await open()
    const small = await keep(db, noise(100, 1))
    const large = await keep(db, noise(50_000, 3))
    s3.fail('refused')
    const away = ['storage-unavailable', { reason: 'it refuses requests (AccessDenied)', retry_after: 5 }]
    expect(await refused(keep(db, noise(60_000, 4)))).toEqual(away)
    expect(await refused(readContent(db, tenantId, large))).toEqual(away)
    expect((await readContent(db, tenantId, small)).byteLength).toBe(100)
    expect((await rows(db)).length).toBe(2)
    s3.fail(null)
    expect((await readContent(db, tenantId, large)).byteLength).toBe(50_000)
  })

  test('a damaged or missing object is named, and the same bytes repair it', async () => {
    const db = await open()
    const bytes = noise(50_000, 5)
    const digest = await keep(db, bytes)
    const [key = ''] = [...s3.objects.keys()]
    const frame = s3.objects.get(key)!
    s3.objects.set(
      key,
      frame.map((byte) => byte ^ 1),
    )
    expect(await refused(readContent(db, tenantId, digest))).toEqual(['document-damaged', { digest }])
    expect(await keep(db, bytes)).toBe(digest)
    expect([s3.objects.get(key), await readContent(db, tenantId, digest)]).toEqual([frame, bytes])
    s3.objects.clear()
    expect(await refused(readContent(db, tenantId, digest))).toEqual(['document-damaged', { digest }])
    await keep(db, bytes)
    expect(await readContent(db, tenantId, digest)).toEqual(bytes)
    // What it points to is the same: nothing is to be collected.
    expect(await db.read.select().from(objectRemovals)).toEqual([])
  })

  test('a row that points into a store that is not configured says so', async () => {
    const db = await open()
    const digest = await keep(db, noise(50_000, 6))
    Object.assign(db, { objects: null })
    expect(await refused(readContent(db, tenantId, digest))).toEqual([
      'storage-unavailable',
      { reason: 'documents are in an object storage, and SVC_STORAGE_URL does not name it', retry_after: 60 },
    ])
  })

  test('the last reference that goes queues the object, and one that comes takes it back', async () => {
    const db = await open()
    const bytes = noise(50_000, 7)
    const digest = await keep(db, bytes)
    const queue = () =>
      db.read
        .select({ tenantId: objectRemovals.tenantId, kind: objectRemovals.kind, removedAt: objectRemovals.removedAt })
        .from(objectRemovals)
    const remove = () => db.inTransaction((tx) => tx.delete(contents).where(eq(contents.digest, digest)))
    await remove()
    expect(await queue()).toEqual([{ tenantId, kind: 'contents', removedAt: null }])
    await keep(db, bytes)
    expect(await queue()).toEqual([])
    await db.inTransaction((tx) => tx.delete(tenants).where(eq(tenants.id, tenantId)))
    expect(await queue()).toEqual([{ tenantId, kind: 'contents', removedAt: null }])
  })

  test('bytes whose object is being removed at this moment stay in rows', async () => {
    const db = await open()
    const bytes = noise(1_500_000, 8)
    const prepared = await prepareContent(db, tenantId, bytes)
    const name = { kind: 'contents', tenantId, sha256: prepared.object ?? '' } as const
    await db.inTransaction((tx) =>
      tx.insert(objectRemovals).values({ ...name, queuedAt: storedAt, removedAt: storedAt }),
    )
    expect(await db.inTransaction((tx) => claimObject(tx, name))).toBe(false)
    const digest = await db.inTransaction((tx) => storeContent(tx, prepared, storedAt))
    expect((await rows(db)).map(({ object }) => object)).toEqual([null])
    expect((await db.read.select().from(contentParts)).length).toBe(1)
    s3.objects.clear()
    expect(await readContent(db, tenantId, digest)).toEqual(bytes)
  })
})
