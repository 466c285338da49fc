import { afterAll, afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq, isNotNull } from 'drizzle-orm'
import fc from 'fast-check'
import { createBackup } from '../../../db/backup/create.ts'
import { restoreBackup } from '../../../db/backup/restore.ts'
import { verifyBackup } from '../../../db/backup/verify.ts'
import { digestOf, prepareContent, readContent, storeContent } from '../../../db/content.ts'
import type { Database } from '../../../db/database.ts'
import { checkObjects } from '../../../db/objects/check.ts'
import { collectObjects, noteBackup, noteVerified, queueOrphans } from '../../../db/objects/collect.ts'
import { moveObjects } from '../../../db/objects/move.ts'
import { type DatabaseTarget, openDatabase } from '../../../db/open.ts'
import { contents, objectBackups, objectRemovals, tenants } from '../../../db/tables.gen.ts'
import { keepRendering, readRendering } from '../../../server/documents/stored.ts'
import type { VersionRow } from '../../../server/records/door.ts'
import { type MakeDatabase, onBothEngines } from '../../fixtures/engines.ts'
import { isFull } from '../../fixtures/extent.ts'
import { noise, s3Objects } from '../../fixtures/objects.ts'
import { type S3Fault, startS3 } from '../../fixtures/s3-server.ts'
import { otherId, storedAt, tenantId } from '../../fixtures/stored.ts'

const s3 = startS3()
const folder = mkdtempSync(join(tmpdir(), 'svc-interleavings-'))
afterAll(async () => {
  await s3.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** More than a day. */
const dayMs = 26 * 3_600_000
const earlier = (iso: string): string => new Date(Date.parse(iso) - dayMs).toISOString()

// Few documents, so that what is deleted is often stored again.
const documents = [200, 20_000, 21_000, 1_100_000].map((size, seed) => noise(size, seed))

type Action =
  | { readonly kind: 'store' | 'delete'; readonly tenant: string; readonly at: number }
  | { readonly kind: 'render'; readonly tenant: string; readonly at: number; readonly seed: number }
  | { readonly kind: 'collect' | 'orphans' | 'day' | 'abandon' | 'back up' | 'copy' | 'verify' | 'restore' }
  | { readonly kind: 'move'; readonly to: 'store' | 'database' }
  | { readonly kind: 'fault'; readonly fault: S3Fault }

const tenant = fc.constantFrom(tenantId, otherId)
const at = fc.nat({ max: documents.length - 1 })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('store' as const), tenant, at }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), tenant, at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('render' as const), tenant, at, seed: fc.nat({ max: 3 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('collect', 'collect', 'orphans', 'day', 'day', 'abandon', 'back up', 'verify', 'restore'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('copy' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('move' as const), to: fc.constantFrom('store', 'database') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      fault: fc.constantFrom<S3Fault[]>('503', 'cut', 'wrong-bytes'),
    }),
  },
) as fc.Arbitrary<Action>

interface Backup {
  readonly path: string
  readonly digest: string
  readonly rows: ReadonlySet<string>
  isVerified: boolean
}

let count = 0

/** An installation: a database, the bucket, and the backups that were made. */
class World {
  readonly #makeDb: MakeDatabase
  db: Database
  #target: DatabaseTarget
  readonly backups: Backup[] = []
  readonly rendered = new Map<string, Uint8Array>()
  readonly done: Set<string>

  private constructor(makeDb: MakeDatabase, db: Database, target: DatabaseTarget, done: Set<string>) {
    this.#makeDb = makeDb
    this.db = db
    this.#target = target
    this.done = done
  }

  static async open(makeDb: MakeDatabase, done: Set<string>): Promise<World> {
    s3.objects.clear()
    s3.modified.clear()
    s3.fail(null)
    const target = { ...(await makeDb.makeTarget()), objects: s3Objects(s3) }
    const db = await openDatabase(target)
    const rows = [tenantId, otherId].map((id) => {
      return { id, slug: id, name: id, settings: {}, createdAt: storedAt, updatedAt: storedAt }
    })
    await db.inTransaction((tx) => tx.insert(tenants).values(rows))
    return new World(makeDb, db, target, done)
  }

  close(): Promise<void> {
    return this.db.close()
  }

  async rows(): Promise<Set<string>> {
    const all = await this.db.read.select({ tenant: contents.tenantId, digest: contents.digest }).from(contents)
    return new Set(all.map(({ tenant: owner, digest }) => `${owner} ${digest}`))
  }

  /** Does something; those that replace the database or the time are done alone. */
  async take(one: Action): Promise<void> {
    const { db } = this
    switch (one.kind) {
      case 'store': {
        const prepared = await prepareContent(db, one.tenant, documents[one.at]!)
        await db.inTransaction((tx) => storeContent(tx, prepared, storedAt))
        return this.#did('store')
      }
      case 'abandon':
        // Whoever put it never came to its transaction.
        await prepareContent(db, tenantId, noise(20_000, 100 + ++count))
        return this.#did('abandon')
      case 'delete': {
        const its = and(eq(contents.tenantId, one.tenant), eq(contents.digest, digestOf(documents[one.at]!)))
        const gone = await db.inTransaction((tx) =>
          tx.delete(contents).where(its).returning({ at: contents.createdAt }),
        )
        return gone.length > 0 ? this.#did('delete') : undefined
      }
      case 'render':
        return this.#render(one.tenant, one.at, one.seed)
      case 'collect': {
        const { removed } = await collectObjects(db, Date.now())
        return removed > 0 ? this.#did('collect') : undefined
      }
      case 'orphans':
        return (await queueOrphans(db, Date.now(), () => {})) > 0 ? this.#did('orphans') : undefined
      case 'move': {
        const { moved } = await moveObjects(db, {
          to: one.to,
          signal: new AbortController().signal,
          onProgress: () => {},
        })
        return moved > 0 ? this.#did(`move to ${one.to}`) : undefined
      }
      case 'fault':
        s3.fail(one.fault, 1)
        return this.#did('fault')
      case 'day':
        return this.#pass()
      case 'back up':
      case 'copy':
        return this.#backUp(one.kind)
      case 'verify':
        return this.#verify()
      case 'restore':
        return this.#restore()
    }
  }

  #did(what: string): void {
    this.done.add(what)
  }

  async #render(owner: string, index: number, seed: number): Promise<void> {
    const digest = digestOf(documents[index]!)
    if (!(await this.rows()).has(`${owner} ${digest}`)) return
    const version = { tenantId: owner, digest } as VersionRow
    const bytes = noise(30_000 + seed, 50 + seed)
    // Its content may be deleted at this moment.
    await keepRendering(this.db, version, `kind ${seed}`, { bytes, etag: '"x"' }, storedAt).catch(() => {})
    this.rendered.set(`${owner} ${digest} ${seed}`, bytes)
    this.#did('render')
  }

  async #pass(): Promise<void> {
    const removals = await this.db.read.select().from(objectRemovals)
    const backups = await this.db.read.select().from(objectBackups)
    await this.db.inTransaction(async (tx) => {
      for (const { sha256, queuedAt, removedAt } of removals)
        await tx
          .update(objectRemovals)
          .set({ queuedAt: earlier(queuedAt), removedAt: removedAt === null ? null : earlier(removedAt) })
          .where(eq(objectRemovals.sha256, sha256))
      for (const { digest, madeAt } of backups)
        await tx
          .update(objectBackups)
          .set({ madeAt: earlier(madeAt) })
          .where(eq(objectBackups.digest, digest))
    })
    for (const [key, modified] of s3.modified) s3.modified.set(key, earlier(modified))
  }

  async #backUp(kind: 'back up' | 'copy'): Promise<void> {
    const path = join(folder, `${++count}.svcbackup`)
    const rows = await this.rows()
    const objects = kind === 'copy' ? 'copy' : 'reference'
    const made = await createBackup(this.#target, path, Date.now(), { objects, onProgress: () => {} })
    if (made.objects !== undefined) await noteBackup(this.db, made, null)
    this.backups.push({ path, digest: made.digest, rows, isVerified: kind === 'copy' })
    this.#did(kind)
  }

  async #verify(): Promise<void> {
    const newest = this.backups.at(-1)
    if (newest === undefined || newest.isVerified) return
    expect(verifyBackup(newest.path).damaged).toEqual([])
    newest.isVerified = true
    await noteVerified(this.db, newest.digest, new Date().toISOString())
    this.#did('verify')
  }

  /** The newest verified backup is whole, whatever was collected since. */
  async #restore(): Promise<void> {
    const newest = this.backups.findLast(({ isVerified }) => isVerified)
    if (newest === undefined) return
    const target = { ...(await this.#makeDb.makeTarget()), objects: s3Objects(s3) }
    expect((await restoreBackup(newest.path, target)).missing).toEqual([])
    await this.db.close()
    this.db = await openDatabase(target)
    this.#target = target
    this.backups.splice(this.backups.indexOf(newest) + 1)
    expect(await this.rows()).toEqual(new Set(newest.rows))
    this.#did('restore')
  }

  /** Every row has its bytes, and none is without its object. */
  async assertWhole(): Promise<void> {
    const byDigest = new Map(documents.map((bytes) => [digestOf(bytes), bytes]))
    for (const row of await this.rows()) {
      const [owner = '', digest = ''] = row.split(' ')
      const bytes = await readContent(this.db, owner, digest)
      expect(Buffer.compare(bytes, byDigest.get(digest)!)).toBe(0)
    }
    for (const [key, bytes] of this.rendered) {
      const [owner = '', digest = '', seed = ''] = key.split(' ')
      const kept = await readRendering(this.db, { tenantId: owner, digest } as VersionRow, `kind ${seed}`)
      if (kept !== null) expect(Buffer.compare(kept.bytes, bytes)).toBe(0)
    }
    const { missing, damaged } = await checkObjects(this.db, this.db.objects!, { sample: 1000, onProgress: () => {} })
    expect([missing, damaged]).toEqual([[], []])
    // What is an object is not in the row as well.
    const twice = await this.db.read.select().from(contents).where(isNotNull(contents.object))
    expect(twice.filter(({ compressed }) => compressed.byteLength > 0)).toEqual([])
  }
}

const isAlone = ({ kind }: Action): boolean => ['day', 'restore', 'back up', 'copy', 'verify'].includes(kind)

onBothEngines('documents in object storage', (makeDb) => {
  afterEach(() => s3.fail(null))

  test('every document is what was stored, whatever happens in which order and at the same time', async () => {
    const done = new Set<string>()
    const steps = fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), {
      minLength: 8,
      maxLength: 14,
      size: 'max',
    })
    const property = fc.asyncProperty(fc.noShrink(steps), async (history) => {
      const world = await World.open(makeDb, done)
      try {
        for (const together of history) {
          await Promise.all(together.filter((one) => !isAlone(one)).map((one) => world.take(one)))
          for (const one of together) if (isAlone(one)) await world.take(one)
          s3.fail(null)
          await world.assertWhole()
        }
      } finally {
        await world.close()
      }
    })
    const alone = (...kinds: Action[]) => kinds.map((one) => [one])
    const store = { kind: 'store', tenant: tenantId, at: 1 } as const
    const gone = { kind: 'delete', tenant: tenantId, at: 1 } as const
    const [day, collect] = [{ kind: 'day' } as const, { kind: 'collect' } as const]
    const whole = alone(
      store,
      { kind: 'render', tenant: tenantId, at: 1, seed: 1 },
      { kind: 'abandon' },
      gone,
      day,
      { kind: 'orphans' },
      collect,
      day,
      collect,
      store,
      { kind: 'fault', fault: '503' },
      { kind: 'back up' },
      { kind: 'verify' },
      gone,
      day,
      collect,
      { kind: 'restore' },
      { kind: 'copy' },
      { kind: 'move', to: 'database' },
      { kind: 'move', to: 'store' },
    )
    await fc.assert(property, { numRuns: isFull ? 12 : 3, examples: [[whole]] })
    expect([...done].toSorted()).toEqual([
      'abandon',
      'back up',
      'collect',
      'copy',
      'delete',
      'fault',
      'move to database',
      'move to store',
      'orphans',
      'render',
      'restore',
      'store',
      'verify',
    ])
  })
})
