import { Database as Connection } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { inspectDatabase } from '../../db/inspect.ts'
import { migrations } from '../../db/migrations.gen.ts'
import { executeSql } from '../../db/portable.ts'
import { SvcError } from '../../src/errors.ts'
import { onBothEngines } from '../fixtures/engines.ts'

onBothEngines('inspection', (makeDb) => {
  const known = migrations[makeDb.dialect].map(({ id }) => id)

  test('a database that is not there yet is new, and stays so', async () => {
    const target = await makeDb.makeEmptyTarget()
    const report = await inspectDatabase(target)
    expect(report).toMatchObject({ isNew: true, applied: [], pending: known, unknown: [], damage: [] })
    expect((await inspectDatabase(target)).isNew).toBe(true)
    if (target.kind === 'sqlite') expect(existsSync(target.path)).toBe(false)
  })

  test('a database in use tells its engine, size and migrations, also those of a newer svc', async () => {
    const target = await makeDb.makeTarget()
    const db = await makeDb.open(target)
    const future = sql`insert into svc_migrations (id, sha256, applied_at) values ('9999', '', '2026-05-05T00:00:00.000Z')`
    await db.inTransaction((tx) => executeSql(tx, future))
    const report = await inspectDatabase(target)
    expect(report).toMatchObject({
      isNew: false,
      applied: [...known, '9999'],
      pending: [],
      unknown: ['9999'],
      damage: [],
    })
    expect(report.engine).toMatch(makeDb.dialect === 'sqlite' ? /^SQLite 3\.\d+/ : /^PostgreSQL \d+/)
    expect(report.sizeBytes).toBeGreaterThan(10_000)
    expect(report.freeBytes === null).toBe(makeDb.dialect === 'postgres')
    expect(report.place).not.toContain('@')
  })
})

onBothEngines('inspection of damage', (makeDb) => {
  if (makeDb.dialect === 'postgres') return
  test('a damaged file is distinguished from a healthy one', async () => {
    const target = await makeDb.makeTarget()
    if (target.kind !== 'sqlite') throw new Error('a SQLite file was expected')
    const connection = new Connection(target.path)
    connection.run('PRAGMA journal_mode = DELETE; create table filler (x text)')
    const x = 'x'.repeat(500)
    connection.run(
      `insert into filler with recursive n (i) as (select 1 union all select i + 1 from n where i < 400) select '${x}' from n`,
    )
    connection.close()
    const content = readFileSync(target.path)
    content.fill(0xff, content.length - 40_000, content.length - 30_000)
    writeFileSync(target.path, content)
    expect((await inspectDatabase(target)).damage.length).toBeGreaterThan(0)
    const text = join(dirname(target.path), 'text.db')
    writeFileSync(text, 'no database '.repeat(100))
    const error = await inspectDatabase({ kind: 'sqlite', path: text }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(SvcError)
    expect((error as SvcError).code).toBe('workspace-unusable')
  })
})
