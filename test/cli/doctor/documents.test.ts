/** A byte that changes within a stored document passes the checks of the database itself; `svc doctor` finds it. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { checkDatabase } from '../../../cli/doctor/checks.ts'
import { checkDocuments } from '../../../cli/doctor/database.ts'
import {
  checkContents,
  digestOf,
  readCompressed,
  readContent,
  prepareContent,
  storeContent,
} from '../../../db/content.ts'
import type { Database } from '../../../db/database.ts'
import type { DatabaseTarget } from '../../../db/open.ts'
import { contentParts, contents, tenants, versions } from '../../../db/tables.gen.ts'
import { importsApi } from '../../../src/api/imports.ts'
import { outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService } from '../../fixtures/service.ts'

const document = (title: string) => `openapi: 3.1.0
info: { title: ${title}, version: 1.0.0 }
paths: { /tickets: { get: { responses: { '200': { description: ok } } } } }
`

async function importAll(db: Database, titles: readonly string[]): Promise<void> {
  const server = await startService(db)
  for (const title of titles) {
    const body = { source: { kind: 'inline' as const, name: 'a.yaml', content: document(title) } }
    const job = await server.call(importsApi.create, { params: { tenant_slug: 'local' }, body })
    await server.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
  }
  await server.service.stop()
}

/** Turns one bit of the stored bytes of a digest, in the middle of the frame or at the given place. */
async function flip(db: Database, digest: string, at?: number): Promise<void> {
  const [row] = await db.read.select().from(contents).where(eq(contents.digest, digest))
  const compressed = new Uint8Array(row?.compressed ?? [])
  const place = at ?? compressed.length >> 1
  compressed[place] = (compressed[place] ?? 0) ^ 1
  await db.inTransaction((tx) => tx.update(contents).set({ compressed }).where(eq(contents.digest, digest)))
}

const said = async (target: DatabaseTarget) =>
  (await checkDocuments(target)).map(({ name, status, message }) => `${status} ${name}: ${message}`)

onBothEngines('stored documents', (makeDb) => {
  test('a changed byte is found and its version named; the database itself says nothing of it', async () => {
    const target = await makeDb.makeTarget()
    expect(await said(target)).toEqual([])
    const db = await makeDb.open(target)
    await importAll(db, ['One', 'Two', 'Three'])
    expect(await said(target)).toEqual(['pass documents: 3 stored documents can be read'])

    const [broken] = await db.read.select().from(versions).where(eq(versions.title, 'Two'))
    const digest = broken?.digest ?? ''
    await flip(db, digest)
    const told = 'fail documents: 1 of 3 stored documents changed since they were stored: local/two/1.0.0'
    expect(await said(target)).toEqual([told])
    expect((await checkDatabase(target)).status).toBe('pass')

    // It is never answered as if it were the one that was published, neither as text nor as it is stored.
    const tenantId = broken?.tenantId ?? ''
    for (const read of [readContent, readCompressed])
      expect(await outcome(read(db, tenantId, digest))).toEqual({ code: 'document-damaged', digest })

    await flip(db, digest)
    expect(new TextDecoder().decode(await readContent(db, tenantId, digest))).toBe(document('Two'))
    expect(await said(target)).toEqual(['pass documents: 3 stored documents can be read'])
    // The first byte belongs to the mark of a frame: nothing can be unpacked.
    await flip(db, digest, 0)
    expect(await said(target)).toEqual([told])
  })

  test('importing the same bytes again repairs what is stored, and nothing else is written', async () => {
    const target = await makeDb.makeTarget()
    const db = await makeDb.open(target)
    await importAll(db, ['One', 'Two'])
    const [broken] = await db.read.select().from(versions).where(eq(versions.title, 'Two'))
    const digest = broken?.digest ?? ''
    const stored = await db.read.select().from(contents)
    await flip(db, digest)
    expect((await said(target))[0]).toStartWith('fail documents: 1 of 2 stored documents changed')
    await importAll(db, ['Two'])
    expect(await said(target)).toEqual(['pass documents: 2 stored documents can be read'])
    expect(await db.read.select().from(contents)).toEqual(stored)
    expect(await db.read.select().from(versions).where(eq(versions.digest, digest))).toEqual([broken!])
  })

  test('a large document that hardly packs is stored in parts, found damaged in each of them, and repaired', async () => {
    const db = await makeDb()
    await importAll(db, ['One'])
    const [row] = await db.read.select({ id: tenants.id }).from(tenants)
    const tenantId = row?.id ?? ''
    const bytes = crypto.getRandomValues(new Uint8Array(64 * 1024))
    const large = new Uint8Array(3_500_000)
    for (let at = 0; at < large.length; at += bytes.length)
      large.set(crypto.getRandomValues(bytes).subarray(0, large.length - at), at)
    const store = async () => {
      const prepared = await prepareContent(db, tenantId, large)
      return db.inTransaction((tx) => storeContent(tx, prepared, new Date(0).toISOString()))
    }
    const digest = await store()
    const partsOf = () =>
      db.read.select().from(contentParts).where(eq(contentParts.digest, digest)).orderBy(contentParts.ordinal)
    const parts = await partsOf()
    const [first] = await db.read.select().from(contents).where(eq(contents.digest, digest))
    const sizes = [first?.compressed, ...parts.map(({ part }) => part)].map((it) => it?.byteLength ?? 0)
    expect(sizes.slice(0, 3)).toEqual([1_048_576, 1_048_576, 1_048_576])
    expect(sizes).toHaveLength(4)
    expect(Buffer.compare(await readContent(db, tenantId, digest), large)).toBe(0)
    expect((await checkContents(db.read)).damaged).toEqual([])

    const place = eq(contentParts.ordinal, 2)
    await db.inTransaction((tx) =>
      tx
        .update(contentParts)
        .set({ part: new Uint8Array(1_048_576) })
        .where(place),
    )
    expect((await checkContents(db.read)).damaged).toEqual([{ tenantId, digest }])
    await store()
    expect(await partsOf()).toEqual(parts)
    await db.inTransaction((tx) => tx.delete(contentParts).where(place))
    expect((await checkContents(db.read)).damaged).toEqual([{ tenantId, digest }])
    await store()
    expect(await partsOf()).toEqual(parts)
    // Parts vanish with what they belong to.
    await db.inTransaction((tx) => tx.delete(contents).where(eq(contents.digest, digest)))
    expect(await partsOf()).toEqual([])
  })

  test('a whole frame of other bytes is found, and one beyond the first part of the keys', async () => {
    const db = await makeDb()
    await importAll(db, ['One'])
    const [row] = await db.read.select({ id: tenants.id }).from(tenants)
    const tenantId = row?.id ?? ''
    const at = new Date(0).toISOString()
    const texts = Array.from({ length: 1100 }, (_, n) => new TextEncoder().encode(`document ${n}`))
    const prepared = await Promise.all(texts.map((bytes) => prepareContent(db, tenantId, bytes)))
    await db.inTransaction(async (tx) => {
      for (const content of prepared) await storeContent(tx, content, at)
    })
    const all = texts.map(digestOf).toSorted()
    const other = new Uint8Array(await Bun.zstdCompress(new TextEncoder().encode('other')))
    for (const digest of [all[3], all[700], all[1099]])
      await db.inTransaction((tx) =>
        tx
          .update(contents)
          .set({ compressed: other })
          .where(eq(contents.digest, digest ?? '')),
      )
    const { damaged } = await checkContents(db.read)
    expect(damaged.map((it) => it.digest)).toEqual([all[3] ?? '', all[700] ?? '', all[1099] ?? ''])
  })
})
