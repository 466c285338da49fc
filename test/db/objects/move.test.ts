import { afterAll, expect, test } from 'bun:test'
import { checkContents, readContent } from '../../../db/content.ts'
import type { Database } from '../../../db/database.ts'
import { checkObjects, needing, storedKinds } from '../../../db/objects/check.ts'
import { type Moved, moveObjects } from '../../../db/objects/move.ts'
import { contentParts, contents, objectRemovals, renderings } from '../../../db/tables.gen.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { noise, refused } from '../../fixtures/objects.ts'
import { startS3 } from '../../fixtures/s3-server.ts'
import { keep, otherId, storedAt, tenantId, withStore } from '../../fixtures/stored.ts'

const s3 = startS3()
afterAll(() => s3.stop())

const sizes = [100, 20_000, 1_048_576, 2_500_000]

onBothEngines('moving stored bytes', (makeDb) => {
  /** A database whose contents and renderings are in rows. */
  async function filled(): Promise<{ db: Database; all: Map<string, Uint8Array> }> {
    const db = await withStore(await makeDb(), s3)
    const { objects } = db
    Object.assign(db, { objects: null })
    const all = new Map<string, Uint8Array>()
    for (const [seed, size] of sizes.entries()) {
      const bytes = noise(size, seed + 1)
      all.set(await keep(db, bytes), bytes)
      await keep(db, bytes, otherId)
    }
    const [digest = ''] = [...all.keys()]
    const compressed = new Uint8Array(await Bun.zstdCompress(noise(30_000, 9)))
    const rendering = { tenantId, digest, etag: '"x"', compressed, sizeBytes: 30_000, createdAt: storedAt }
    await db.inTransaction((tx) => tx.insert(renderings).values(['a', 'b'].map((kind) => ({ ...rendering, kind }))))
    return { db: Object.assign(db, { objects }), all }
  }
  const move = (db: Database, to: 'store' | 'database', signal = new AbortController().signal, seen: Moved[] = []) =>
    moveObjects(db, { to, signal, onProgress: (it) => seen.push(it) })
  const sorted = async (db: Database) => ({
    contents: await db.read.select().from(contents).orderBy(contents.tenantId, contents.digest),
    parts: await db.read.select().from(contentParts).orderBy(contentParts.digest, contentParts.ordinal),
    renderings: await db.read.select().from(renderings).orderBy(renderings.kind),
  })

  test('there and back again every row is what it was, and nothing small is moved', async () => {
    const { db, all } = await filled()
    const before = await sorted(db)
    const seen: Moved[] = []
    const moved = await move(db, 'store', undefined, seen)
    expect([moved.moved, moved.left, moved.total, seen.length]).toEqual([8, 0, 8, 8])
    // Two renderings with the same bytes are one object.
    expect([s3.objects.size, (await sorted(db)).parts]).toEqual([7, []])
    for (const [digest, bytes] of all) expect(await readContent(db, tenantId, digest)).toEqual(bytes as never)
    expect((await storedKinds(db.read)).kinds).toEqual([
      { kind: 'contents', inRows: 2, inStore: 6 },
      { kind: 'renderings', inRows: 0, inStore: 2 },
      { kind: 'uploads', inRows: 0, inStore: 0 },
    ])
    expect(await move(db, 'store')).toEqual({ moved: 0, bytes: 0, left: 0, total: 0 })
    expect((await move(db, 'database')).moved).toBe(8)
    expect(await sorted(db)).toEqual(before)
    expect((await db.read.select().from(objectRemovals)).length).toBe(7)
    // What waits to be removed is taken back.
    expect((await move(db, 'store')).moved).toBe(8)
    expect(await db.read.select().from(objectRemovals)).toEqual([])
  })

  test('it can be interrupted, and goes on; those who read meanwhile find every document', async () => {
    const { db, all } = await filled()
    const stop = new AbortController()
    const first = await moveObjects(db, { to: 'store', signal: stop.signal, onProgress: () => stop.abort() })
    expect(first.moved).toBe(1)
    const state = { isMoving: true }
    const reader = (async () => {
      let reads = 0
      while (state.isMoving)
        for (const [digest, bytes] of all) {
          expect(Buffer.compare(await readContent(db, tenantId, digest), bytes)).toBe(0)
          reads++
        }
      return reads
    })()
    expect((await move(db, 'store')).moved).toBe(7)
    await move(db, 'database')
    await move(db, 'store')
    state.isMoving = false
    expect(await reader).toBeGreaterThan(0)
    expect((await checkContents(db.read)).damaged).toEqual([])
  })

  test('what is damaged stays where it is, and a missing object stops the way back', async () => {
    const { db } = await filled()
    const [row] = await db.read.select().from(contents).orderBy(contents.sizeBytes)
    await db.inTransaction((tx) => tx.update(contents).set({ compressed: new Uint8Array(20_000) }))
    expect(row?.sizeBytes).toBe(100)
    expect(await move(db, 'store')).toMatchObject({ moved: 2, left: 8 })
    s3.objects.clear()
    const digest = (await db.read.select().from(renderings))[0]?.digest
    expect(await refused(move(db, 'database'))).toEqual(['document-damaged', { digest }])
  })

  test('a check finds what is missing, what is damaged, and what has no row', async () => {
    const { db } = await filled()
    await move(db, 'store')
    const options = { sample: 100, onProgress: () => {} }
    const whole = await checkObjects(db, db.objects!, options)
    const bytes = [...s3.objects.values()].reduce((sum, it) => sum + it.byteLength, 0)
    expect(whole).toEqual({
      referred: 7,
      bytes,
      compared: 7,
      missing: [],
      damaged: [],
      orphans: 0,
      orphanBytes: 0,
    })
    const [first = '', second = ''] = [...s3.objects.keys()].toSorted()
    s3.objects.delete(first)
    s3.objects.set(second, new Uint8Array(5))
    s3.objects.set(`svc/contents/${tenantId}/${'f'.repeat(64)}`, new Uint8Array(3))
    const found = await checkObjects(db, db.objects!, options)
    const keysOf = (names: readonly { readonly sha256: string }[]) => names.map(({ sha256 }) => sha256)
    expect([keysOf(found.missing), keysOf(found.damaged), found.orphans, found.orphanBytes, found.compared]).toEqual([
      [first.slice(-64)],
      [second.slice(-64)],
      1,
      3,
      6,
    ])
    // No version has it here.
    expect(await needing(db.read, found.missing)).toEqual([first.slice('svc/'.length)])
    expect((await checkObjects(db, db.objects!, { ...options, sample: 2 })).compared).toBe(2)
  })
})
