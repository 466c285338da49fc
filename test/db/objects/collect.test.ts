import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { readContent } from '../../../db/content.ts'
import type { Database } from '../../../db/database.ts'
import { collectObjects, holdOf, noteBackup, queueOrphans } from '../../../db/objects/collect.ts'
import { nameOf } from '../../../db/objects/store.ts'
import { contents, objectRemovals } from '../../../db/tables.gen.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { noise, refused } from '../../fixtures/objects.ts'
import { startS3 } from '../../fixtures/s3-server.ts'
import { keep, storedAt, tenantId, withStore } from '../../fixtures/stored.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const s3 = startS3()
afterAll(() => s3.stop())

onBothEngines('objects that nothing refers to', (makeDb) => {
  const open = async () => withStore(await makeDb(), s3)
  const lose = (db: Database, digest: string) =>
    db.inTransaction((tx) => tx.delete(contents).where(eq(contents.digest, digest)))
  const bytes = noise(50_000, 1)

  test('go a day after the last reference went, and not before', async () => {
    const db = await open()
    await lose(db, await keep(db, bytes))
    const now = Date.now()
    expect(await collectObjects(db, now + dayMs - hourMs)).toEqual({ removed: 0, kept: 0, waiting: 1 })
    expect(s3.objects.size).toBe(1)
    expect(await collectObjects(db, now + dayMs + hourMs)).toEqual({ removed: 1, kept: 0, waiting: 0 })
    expect(s3.objects.size).toBe(0)
    // What a crash may have left is removed again, and the row goes after another day.
    const [key = ''] = s3.requests.filter((it) => it.startsWith('DELETE')).map((it) => it.slice('DELETE '.length))
    s3.objects.set(key, bytes)
    await collectObjects(db, now + dayMs + 2 * hourMs)
    expect([s3.objects.size, (await db.read.select().from(objectRemovals)).length]).toEqual([0, 1])
    await collectObjects(db, now + 3 * dayMs)
    expect(await db.read.select().from(objectRemovals)).toEqual([])
  })

  test('stay where they are referred to again, whoever wrote the reference', async () => {
    const db = await open()
    const digest = await keep(db, bytes)
    const [row] = await db.read.select().from(contents)
    await lose(db, digest)
    // As a restored backup does, which claims nothing.
    await db.inTransaction((tx) => tx.insert(contents).values(row!))
    expect(await collectObjects(db, Date.now() + 2 * dayMs)).toEqual({ removed: 0, kept: 1, waiting: 0 })
    expect(await readContent(db, tenantId, digest)).toEqual(bytes)
  })

  test('stay for the newest verified backup, and for all where none was verified', async () => {
    const db = await open()
    const now = Date.now()
    const backup = (digest: string, at: number) => ({ digest, madeAt: new Date(at).toISOString() })
    await noteBackup(db, backup('a', now - hourMs * 3), null)
    await lose(db, await keep(db, bytes))
    expect(await holdOf(db.read)).toEqual({ backups: 1, verifiedMadeAt: null })
    expect(await collectObjects(db, now + 2 * dayMs)).toEqual({ removed: 0, kept: 0, waiting: 1 })
    await noteBackup(db, backup('a', now - hourMs * 3), new Date(now).toISOString())
    // It was made while the object was still referred to.
    expect(await collectObjects(db, now + 2 * dayMs)).toEqual({ removed: 0, kept: 0, waiting: 1 })
    await noteBackup(db, backup('b', now + dayMs), null)
    expect(await collectObjects(db, now + 2 * dayMs)).toEqual({ removed: 0, kept: 0, waiting: 1 })
    await noteBackup(db, backup('b', now + dayMs), new Date(now + dayMs).toISOString())
    expect(await collectObjects(db, now + 2 * dayMs)).toEqual({ removed: 1, kept: 0, waiting: 0 })
  })

  test('that never had a reference are queued when they are older than a day', async () => {
    const db = await open()
    await keep(db, noise(50_000, 2))
    const lost = `svc/contents/${tenantId}/${'a'.repeat(64)}`
    s3.objects.set(lost, bytes)
    s3.modified.set(lost, storedAt)
    const young = `svc/renderings/${tenantId}/${'b'.repeat(64)}`
    s3.objects.set(young, bytes)
    s3.modified.set(young, new Date().toISOString())
    s3.objects.set('svc/readme.txt', bytes)
    const now = Date.now()
    expect(await queueOrphans(db, now, () => {})).toBe(1)
    expect(await queueOrphans(db, now, () => {})).toBe(0)
    const [queued] = await db.read.select().from(objectRemovals)
    expect(queued).toEqual({
      ...nameOf(lost.slice('svc/'.length))!,
      queuedAt: new Date(now).toISOString(),
      removedAt: null,
    })
    await collectObjects(db, now + dayMs + hourMs)
    expect([s3.objects.has(lost), s3.objects.size]).toEqual([false, 3])
  })

  test('a store that is away loses nothing: the next collection goes on', async () => {
    const db = await open()
    for (const seed of [3, 4]) await lose(db, await keep(db, noise(50_000, seed)))
    s3.fail('refused')
    const later = Date.now() + dayMs + hourMs
    expect(await refused(collectObjects(db, later))).toEqual([
      'storage-unavailable',
      { reason: 'it refuses requests (AccessDenied)', retry_after: 5 },
    ])
    s3.fail(null)
    await collectObjects(db, later + hourMs)
    expect(s3.objects.size).toBe(0)
  })
})
