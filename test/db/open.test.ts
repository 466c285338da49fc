import { createCore } from '../../server/core.ts'
import { ensureLocalTenant } from '../../server/auth/local-tenant.ts'
import { projectsApi } from '../../src/api/projects.ts'
import { addApiKey } from '../fixtures/accounts.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Database as Connection } from 'bun:sqlite'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../db/open.ts'
import { executeSql } from '../../db/portable.ts'
import { tenants } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { sharedPostgres } from '../fixtures/postgres.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-open-'))
})
beforeAll(() => sharedPostgres(), 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function refuse(work: Promise<unknown>): Promise<[string, unknown]> {
  const error = await work.catch((error: unknown) => error)
  if (!(error instanceof SvcError)) throw new Error(`expected a refusal, got ${String(error)}`)
  return [error.code, error.detail]
}
const open = (path: string) => openDatabase({ kind: 'sqlite', path })

test('the folder of a new workspace is made, for its owner alone', async () => {
  const path = join(folder, 'a', 'b', 'svc.db')
  await (await open(path)).close()
  expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700)
})

test('the files of a new database are for their owner alone, also in a folder that others may read', async () => {
  const shared = join(folder, 'shared')
  mkdirSync(shared)
  chmodSync(shared, 0o755)
  const path = join(shared, 'svc.db')
  const database = await open(path)
  expect(['', '-wal', '-shm'].map((suffix) => statSync(path + suffix).mode & 0o777)).toEqual([0o600, 0o600, 0o600])
  await database.close()
})

test('a path through a file is refused', async () => {
  writeFileSync(join(folder, 'file'), '')
  const path = join(folder, 'file', 'below')
  expect(await refuse(open(join(path, 'svc.db')))).toEqual([
    'workspace-unusable',
    { path, reason: 'a part of the path is a file, not a folder' },
  ])
})

test('a folder in place of the database file is refused', async () => {
  const path = join(folder, 'folder.db')
  mkdirSync(path)
  expect(await refuse(open(path))).toEqual([
    'workspace-unusable',
    { path, reason: 'its database file cannot be opened' },
  ])
})

test('a file that is no database is refused and left alone', async () => {
  const path = join(folder, 'text.db')
  writeFileSync(path, 'openapi: 3.1.0\n'.repeat(100))
  expect(await refuse(open(path))).toEqual([
    'workspace-unusable',
    { path, reason: 'the file is not a SQLite database' },
  ])
  expect(await Bun.file(path).text()).toBe('openapi: 3.1.0\n'.repeat(100))
})

// Permissions do not bind root, so the test lays it down while it opens.
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.getuid?.() === 0
  if (isRoot) process.seteuid?.(65534)
  try {
    return await work()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

test('a read-only folder is refused', async () => {
  const path = join(folder, 'locked')
  mkdirSync(path)
  chmodSync(folder, 0o755)
  chmodSync(path, 0o555)
  const [inside, below] = await asNobody(async () => [
    await refuse(open(join(path, 'svc.db'))),
    await refuse(open(join(path, 'deeper', 'svc.db'))),
  ])
  expect(inside).toEqual([
    'workspace-unusable',
    { path: join(path, 'svc.db'), reason: 'you have no permission to write there' },
  ])
  expect(below).toEqual([
    'workspace-unusable',
    { path: join(path, 'deeper'), reason: 'you have no permission to write there' },
  ])
})

test('a database file or folder that cannot be written is opened for reading, with the reason', async () => {
  const path = join(folder, 'readable', 'svc.db')
  const before = await open(path)
  const { tenantId } = await ensureLocalTenant(before, Date.now())
  const key = await addApiKey(before, tenantId)
  await before.close()
  chmodSync(join(folder, 'readable'), 0o755)
  chmodSync(path, 0o444)
  const read = () =>
    asNobody(async () => {
      const db = await open(path)
      const core = createCore({ db, publicUrl: () => '', egressAllow: [], onFault: () => {} })
      const { ownerId } = await ensureLocalTenant(db, Date.now())
      const params = { tenant_slug: 'local' }
      const asOwner = await core.callAs(ownerId)(projectsApi.list, { params })
      const withKey = await core.callWith(key)(projectsApi.list, { params })
      const refused = await refuse(db.inTransaction(async () => {}))
      await core.stop()
      await db.close()
      return [db.readOnly, asOwner.items, withKey.items, refused]
    })
  const reason = 'its database file or folder is read-only'
  expect(await read()).toEqual([reason, [], [], ['workspace-unusable', { path, reason }]])
  // Nor can a file be made beside it.
  chmodSync(join(folder, 'readable'), 0o555)
  const [why, ...rest] = await read()
  expect(String(why)).toMatch(/read-only|cannot be opened|no permission/)
  expect(rest.slice(0, 2)).toEqual([[], []])
})

test('what is not migrated, or has a log that cannot be read, is not opened for reading', async () => {
  const path = join(folder, 'old', 'svc.db')
  mkdirSync(join(folder, 'old'))
  new Connection(path, { create: true }).close()
  chmodSync(join(folder, 'old'), 0o555)
  chmodSync(path, 0o444)
  const [code] = await asNobody(() => refuse(open(path)))
  expect(code).toBe('workspace-unusable')
})

test('a full disk undoes the transaction and says so; what was there stays readable', async () => {
  const path = join(folder, 'full.db')
  const db = await open(path)
  const at = '2026-05-05T00:00:00.000Z'
  const row = (id: string, name: string) => ({ id, slug: id, name, settings: {}, createdAt: at, updatedAt: at })
  await db.inTransaction(async (tx) => {
    await tx.insert(tenants).values(row('small', 'small'))
    // SQLite answers the same for this bound of its own as for a disk without space.
    const [pages] = await executeSql(tx, sql`pragma page_count`)
    await executeSql(tx, sql.raw(`pragma max_page_count = ${Number(pages?.page_count) + 20}`))
  })
  const big = db.inTransaction(async (tx) => {
    await tx.insert(tenants).values(row('first', 'first'))
    await tx.insert(tenants).values(row('big', 'x'.repeat(500_000)))
  })
  expect(await refuse(big)).toEqual(['database-unavailable', { reason: `the disk that holds ${path} is full` }])
  expect(await db.read.select({ id: tenants.id }).from(tenants)).toEqual([{ id: 'small' }])
  await db.inTransaction((tx) => tx.insert(tenants).values(row('after', 'after')))
  await db.close()
})

test('another process that never gives the file back is named, without blocking this one meanwhile', async () => {
  const path = join(folder, 'busy.db')
  const db = await openDatabase({ kind: 'sqlite', path }, { lockWaitMs: 200 })
  const other = new Connection(path)
  other.run('BEGIN IMMEDIATE')
  let ticks = 0
  const timer = setInterval(() => ticks++, 5)
  const refused = await refuse(db.inTransaction(async () => {}))
  clearInterval(timer)
  expect(refused).toEqual([
    'database-unavailable',
    { reason: `another process keeps ${path} locked; stop it or try again` },
  ])
  expect(ticks).toBeGreaterThan(0)
  expect(await db.read.select().from(tenants)).toEqual([])
  other.run('ROLLBACK')
  other.close()
  await db.inTransaction(async () => {})
  await db.close()
})

test('a Postgres that does not answer, or lacks the database, is named without the password', async () => {
  const closed = 'postgres://me:hunter2@127.0.0.1:1/x'
  expect(await refuse(openDatabase({ kind: 'postgres', url: closed }))).toEqual([
    'database-unavailable',
    { reason: 'Postgres at 127.0.0.1:1/x: nothing listens there' },
  ])
  const server = await sharedPostgres()
  const [code, detail] = await refuse(openDatabase({ kind: 'postgres', url: `${server}/no_such_database` }))
  expect([code, (detail as { reason: string }).reason]).toEqual([
    'database-unavailable',
    `Postgres at ${new URL(server).host}/no_such_database: there is no database of this name`,
  ])
})
