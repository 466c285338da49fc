import { Database as Connection } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTableName } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { allTables } from '../../../db/backup/copy-rows.ts'
import { createBackup } from '../../../db/backup/create.ts'
import { restoreBackup } from '../../../db/backup/restore.ts'
import { verifyBackup } from '../../../db/backup/verify.ts'
import type { Database } from '../../../db/database.ts'
import { enqueueJob } from '../../../db/jobs.ts'
import { migrations } from '../../../db/migrations.gen.ts'
import { type DatabaseTarget, openDatabase } from '../../../db/open.ts'
import { memberships, tenants, users } from '../../../db/tables.gen.ts'
import { SvcError } from '../../../src/errors.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const at = '2026-05-05T01:02:03.450Z'
const now = Date.parse(at)

async function fill(db: Database): Promise<void> {
  await db.inTransaction(async (tx) => {
    const settings = { z: 1, a: ['é', null, { deep: 'x\\u0000y' }] }
    await tx.insert(tenants).values([
      { id: 't1', slug: 'one', name: 'Ünïcode 𝒳', settings, createdAt: at, updatedAt: at },
      { id: 't2', slug: 'two', name: "quote ' and \\", settings: {}, createdAt: at, updatedAt: at },
    ])
    const people = Array.from({ length: 3100 }, (_, n) => ({
      id: `u${String(n).padStart(5, '0')}`,
      email: `person${n}@example.test`,
      name: `Person ${n}`,
      status: 'active' as const,
      createdAt: at,
      updatedAt: at,
    }))
    await tx.insert(users).values(people.slice(0, 1600))
    await tx.insert(users).values(people.slice(1600))
    await tx.insert(memberships).values(
      people.slice(0, 40).map(({ id }) => ({
        tenantId: 't1',
        userId: id,
        role: 'owner' as const,
        status: 'active' as const,
        createdAt: at,
      })),
    )
    await enqueueJob(tx, { kind: 'import', tenantId: 't1', payload: { text: 'x' }, now })
  })
}

async function readAll(target: DatabaseTarget): Promise<Record<string, unknown[]>> {
  const db = await openDatabase(target)
  try {
    const out: Record<string, unknown[]> = {}
    for (const table of allTables) {
      const { columns, primaryKeys } = getTableConfig(table)
      const keys = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
      out[getTableName(table)] = await db.read
        .select()
        .from(table)
        .orderBy(...keys)
    }
    return out
  } finally {
    await db.close()
  }
}

const refusal = async (work: () => unknown): Promise<[string, unknown]> => {
  const error = await (async () => work())().catch((error: unknown) => error)
  if (!(error instanceof SvcError)) throw new Error(`expected a refusal, got ${String(error)}`)
  return [error.code, error.detail]
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-backup-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

onBothEngines('a backup', (makeDb) => {
  const make = async (name: string) => {
    const target = await makeDb.makeTarget()
    await fill(await makeDb.open(target))
    const path = join(folder, `${makeDb.dialect}-${name}.svcbackup`)
    const manifest = await createBackup(target, path, now)
    return { target, path, manifest }
  }

  test('is one private file that says what is in it, and verifies', async () => {
    const { path, manifest } = await make('manifest')
    const { rows, digest, searchDigest, ...rest } = manifest
    expect(rest).toEqual({
      damaged: [],
      format: 1,
      madeAt: at,
      source: makeDb.dialect,
      migrations: migrations.sqlite.map(({ id }) => id),
    })
    expect(Object.entries(rows).filter(([, count]) => count > 0)).toEqual([
      ['jobs', 1],
      ['memberships', 40],
      ['tenants', 2],
      ['users', 3100],
    ])
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect(searchDigest).toMatch(/^[0-9a-f]{64}$/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const before = readFileSync(path)
    expect(verifyBackup(path)).toEqual(manifest)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(folder).filter((file) => file.startsWith(`${makeDb.dialect}-manifest`))).toHaveLength(1)
  })

  test('restored into either engine, and backed up from there again, has the same rows', async () => {
    const { target, path } = await make('round')
    const original = await readAll(target)
    const sqlite = { kind: 'sqlite', path: join(folder, `${makeDb.dialect}-restored`, 'svc.db') } as const
    await restoreBackup(path, sqlite)
    expect(await readAll(sqlite)).toEqual(original)
    const second = join(folder, `${makeDb.dialect}-second.svcbackup`)
    await createBackup(sqlite, second, now)
    const same = await makeDb.makeEmptyTarget()
    await restoreBackup(second, same)
    expect(await readAll(same)).toEqual(original)
    // The restored database keeps its foreign keys.
    const orphan = { tenantId: 'none', userId: 'none', role: 'owner', status: 'active', createdAt: at } as const
    const db = await makeDb.open(same)
    expect(await db.inTransaction((tx) => tx.insert(memberships).values(orphan)).catch(() => 'refused')).toBe('refused')
  })

  test('is never restored over data', async () => {
    const { target, path } = await make('occupied')
    const before = await readAll(target)
    expect((await refusal(() => restoreBackup(path, target)))[0]).toBe('database-not-empty')
    expect(await readAll(target)).toEqual(before)
  })

  test('is of one instant, while others write', async () => {
    const target = await makeDb.makeTarget()
    const db = await makeDb.open(target)
    await fill(db)
    const done = new AbortController()
    const first = Promise.withResolvers<void>()
    // Every transaction adds one tenant and one user.
    const writing = (async () => {
      for (let n = 0; !done.signal.aborted; n++)
        await db.inTransaction(async (tx) => {
          const common = { id: `w${n}`, name: 'w', createdAt: at, updatedAt: at }
          await tx.insert(tenants).values({ ...common, slug: `w${n}`, settings: {} })
          await Bun.sleep(0)
          await tx.insert(users).values({ ...common, email: `w${n}@example.test`, status: 'active' })
          tx.afterCommit(first.resolve)
        })
    })()
    await first.promise
    const { rows } = await createBackup(target, join(folder, `${makeDb.dialect}-live.svcbackup`), now)
    done.abort()
    await writing
    expect((rows.tenants ?? 0) - 2).toBe((rows.users ?? 0) - 3100)
    expect(rows.tenants).toBeGreaterThan(2)
  })

  test('that exists already is not written over', async () => {
    const { target, path } = await make('twice')
    const before = readFileSync(path)
    expect(await refusal(() => createBackup(target, path, now))).toEqual([
      'backup-unusable',
      { path, reason: 'the file already exists' },
    ])
    expect(readFileSync(path).equals(before)).toBe(true)
    const nowhere = join(folder, 'no', 'such', 'folder.svcbackup')
    expect((await refusal(() => createBackup(target, nowhere, now)))[0]).toBe('backup-unusable')
  })

  test('that was damaged or changed is refused by verify and restore, naming the fault', async () => {
    const { path } = await make('damaged')
    const spoil = (name: string, change: (copy: string) => void): string => {
      const copy = join(folder, `${makeDb.dialect}-${name}`)
      copyFileSync(path, copy)
      change(copy)
      return copy
    }
    const sql = (text: string) => (copy: string) => {
      const connection = new Connection(copy)
      connection.run(text)
      connection.close()
    }
    const cases: [string, string][] = [
      [
        spoil('edited', sql("update tenants set name = 'other' where id = 't2'")),
        'its rows are not those that were backed up',
      ],
      [
        spoil('unindexed', sql("insert into search_older (rowid, words) values (7, 'other')")),
        'its search index is not the one that was backed up',
      ],
      [spoil('removed', sql('delete from jobs')), 'its table jobs has 0 rows instead of 1'],
      [
        spoil('orphaned', sql("pragma foreign_keys = off; delete from users where id = 'u00001'")),
        '1 of its rows point to rows that are missing',
      ],
      [spoil('plain', sql('drop table svc_backup')), 'it is a database, but not a backup made by svc'],
      [
        spoil('migrated', sql("insert into svc_migrations values ('9999', '', '')")),
        'its migrations are not those that its manifest names',
      ],
      [
        spoil('newer', sql(`update svc_backup set manifest = json_set(manifest, '$.format', 2)`)),
        'it was made by a newer svc',
      ],
      [
        spoil('cut', sql('update svc_backup set manifest = substr(manifest, 1, length(manifest) - 10)')),
        'the file is damaged (its manifest cannot be read)',
      ],
      [
        spoil('odd', sql(`update svc_backup set manifest = '{"format":1}'`)),
        'the file is damaged (its manifest cannot be read)',
      ],
      [spoil('text', (copy) => writeFileSync(copy, 'nothing here')), 'the file is not a SQLite database'],
      [join(folder, 'missing'), 'the file does not exist'],
    ]
    for (const [copy, reason] of cases)
      expect(await refusal(() => verifyBackup(copy))).toEqual(['backup-unusable', { path: copy, reason }])
    const [edited] = cases[0] as [string, string]
    const target = await makeDb.makeEmptyTarget()
    expect((await refusal(() => restoreBackup(edited, target)))[0]).toBe('backup-unusable')

    const torn = spoil('torn', (copy) => {
      const content = readFileSync(copy)
      content.fill(0xff, content.length / 2, content.length / 2 + 8192)
      writeFileSync(copy, content)
    })
    expect((await refusal(() => verifyBackup(torn)))[0]).toBe('backup-unusable')
  })
})

test('a workspace without a database is not made by backing it up', async () => {
  const path = join(folder, 'nothing', 'svc.db')
  const [code] = await refusal(() => createBackup({ kind: 'sqlite', path }, join(folder, 'x.svcbackup'), now))
  expect(code).toBe('workspace-unusable')
  expect(readdirSync(folder).filter((file) => file.startsWith('x.svcbackup') || file === 'nothing')).toEqual([])
})
